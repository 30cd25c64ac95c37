// A voice note: play, progress, duration. Only one plays at a time.

import { fill, h, icon } from "./dom.js";
import { t } from "./texts.js";

let playing = null;

const length = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export function voicePlayer(media) {
  const audio = h("audio", { src: media.url, preload: "none" });
  const bar = h("progress", { max: 100, value: 0, "aria-label": t("message.voice") });
  const time = h("span", { class: "voice-time" }, length(media.duration ?? 0));
  const button = h(
    "button",
    {
      type: "button",
      class: "voice-play",
      "aria-label": t("message.play"),
      on: {
        click: () => {
          if (!audio.paused) {
            audio.pause();
            return;
          }
          playing?.pause();
          playing = audio;
          audio.play().catch(() => fill(time, t("message.unplayable")));
        },
      },
    },
    icon("play"),
  );
  const show = () => {
    fill(button, icon(audio.paused ? "play" : "pause"));
    button.setAttribute("aria-label", t(audio.paused ? "message.play" : "message.pause"));
  };
  audio.addEventListener("play", show);
  audio.addEventListener("pause", show);
  audio.addEventListener("timeupdate", () => {
    const whole = Number.isFinite(audio.duration) ? audio.duration : (media.duration ?? 1);
    bar.value = (100 * audio.currentTime) / whole;
    fill(time, length(audio.ended ? whole : audio.currentTime));
  });
  audio.addEventListener("ended", () => {
    bar.value = 0;
  });
  return h("div", { class: "voice" }, audio, button, bar, time);
}
