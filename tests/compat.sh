#!/bin/sh
# The parity tests on the oldest transformers that labutils supports and on the one that requirements.txt pins, the newest.
# The oldest goes, with the versions of its companions that it asks for, into a folder of its own; torch stays the one of .venv.
set -e
cd "$(dirname "$0")/.."
PY=${PY:-.venv/bin/python}
OLDEST=5.0.0
FOLDER=.venv-compat/transformers-$OLDEST

if [ ! -f "$FOLDER/complete" ]; then
    rm -rf "$FOLDER"
    "$PY" -m pip install -q --disable-pip-version-check --no-deps --target "$FOLDER" \
        "transformers==$OLDEST" "huggingface-hub==1.3.7" "tokenizers==0.22.2"
    touch "$FOLDER/complete"
fi

check() {
    echo "transformers $("$PY" -c 'import transformers, tokenizers; print(transformers.__version__, "with tokenizers", tokenizers.__version__)')"
    "$PY" -m pytest -q -p no:cacheprovider tests/layers tests/models tests/test_trace.py tests/test_parity.py
}

PYTHONPATH="$FOLDER" "$PY" -c "import transformers; assert transformers.__version__ == '$OLDEST', transformers.__version__"
PYTHONPATH="$FOLDER" check
check
