#!/bin/sh
# The parity tests on the oldest transformers that labutils supports and on the one that requirements.txt pins, the newest;
# then the tests of text, layers and models on every Python of this machine that labutils supports.
# What each asks for goes into a folder of its own below .venv-compat; the two of transformers share the torch of .venv.
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

own=$("$PY" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
for python in python3.11 python3.12 python3.13 python3.14; do
    place=.venv-compat/$python
    if [ "$python" = "$own" ]; then
        other=$PY
    elif "$python" -c '' 2>/dev/null; then
        other=$place/bin/python
        if [ ! -f "$place/complete" ]; then
            rm -rf "$place"
            "$python" -m venv "$place"
            index=$("$PY" -c 'from labutils.authoring.environment import torch_index; print(*torch_index())')
            "$other" -m pip install -q --disable-pip-version-check $index "$(grep '^torch==' requirements.txt)" -c constraints.txt
            "$other" -m pip install -q --disable-pip-version-check -c requirements.txt -e . pytest hypothesis
            touch "$place/complete"
        fi
    else
        echo "$python is not on this machine, so nothing was run on it."
        continue
    fi
    "$other" --version
    "$other" -m pytest -q -p no:cacheprovider tests/text tests/layers tests/models
done
