"""The browser engine: tokenizers and models in plain JavaScript, and the command that writes their files for the site.

The modules in reading order:

    source.js          where a control gets its numbers: the one interface, in both homes
    page_source.js     a page without a kernel: script files, loaded once, computed here
    kernel_source.js   JupyterLab: questions to Python (`labutils/controls/kernel.py` answers)
    liveness.js        what both share: does it live, and if not, why

    unicode.js         what kind of character is this? (the table of `labutils.text`)
    added.js           special tokens inside a text
    normalize.js       clean, space out, strip accents, lower-case            (BERT)
    pretokenize.js     cut into words that no token crosses
    merge.js, bpe.js   apply merges by rank, and show each                    (GPT-2)
    wordpiece.js       longest piece first, and show each try                 (BERT)
    template.js        special tokens, truncation, padding
    tokenizers.js      the pipeline from text to ids and back

    linear.js          y = x W + b, LayerNorm, look-up
    activations.js     ReLU and both GELUs, with the error function
    attention.js       scores, softmax, mixture; contributions
    blocks.js          one layer, in GPT-2's order and in BERT's
    trace.js           all layers with every intermediate
    gpt2.js, bert.js   the models
    weights.js         from base64 to tensors, with every check
    model_file.js      from a file's content to a model

Python writes the files: model_file.py, tokenizer_file.py, export.py.
"""
