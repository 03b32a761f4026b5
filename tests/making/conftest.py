from model_folders import copy, edit_json, no_network, one_thread, two_threads  # noqa: F401
