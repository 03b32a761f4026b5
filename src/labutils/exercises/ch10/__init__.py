"""The exercises of chapter 10: rate (10.1), ask (10.2), adamw (10.3), masking (10.4), diagnose (10.5)."""
