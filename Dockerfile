# The bot in a container (docs/operate.md). What installs the dependencies stays behind in the first stage.
FROM python:3.11-slim-bookworm AS build
WORKDIR /app
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements-run.lock ./
RUN python -m venv .venv
RUN .venv/bin/python -m pip install --quiet --require-hashes --no-deps -r requirements-run.lock
RUN .venv/bin/python -m pip uninstall --quiet --yes setuptools pip

FROM python:3.11-slim-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends libfribidi0 && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin mahjong
RUN install -d -o mahjong -g mahjong -m 700 /var/lib/mahjong
WORKDIR /app
COPY --from=build /app/.venv .venv
COPY LICENSE THIRD-PARTY.md pyproject.toml bot.py ./
COPY deploy/mahjong-bot deploy/
COPY mahjong mahjong
COPY render render
COPY data data
COPY handlers handlers
COPY operate operate
RUN ln -s ../../deploy/mahjong-bot .venv/bin/mahjong-bot
# A checkout may be for its owner's eyes alone; the bot runs as somebody else.
RUN chmod -R a+rX LICENSE THIRD-PARTY.md pyproject.toml bot.py deploy mahjong render data handlers operate
RUN .venv/bin/python -m compileall -q mahjong render data handlers operate bot.py
ENV PATH=/app/.venv/bin:$PATH PYTHONUNBUFFERED=1
ENV DATABASE_PATH=/var/lib/mahjong/mahjong.sqlite3 WEBHOOK_LISTEN=0.0.0.0 METRICS_PORT=9090 LOG_FORMAT=json
USER mahjong
VOLUME /var/lib/mahjong
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=20s --start-period=60s --retries=3 CMD ["python", "-m", "operate.ask"]
ENTRYPOINT ["mahjong-bot"]
