"""Everything kept: the store (schema, migrations, ledger, journal), the catalogues of texts, the settings."""
