from twins import one_thread  # noqa: F401
