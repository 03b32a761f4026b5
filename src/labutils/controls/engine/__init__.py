"""The browser engine: tokenizers and models in plain JavaScript, and the command that writes their files for the site.

The modules in reading order:

    source.js          where a control gets its numbers: the one interface, in both homes
    page_source.js     a page without a kernel: script files, loaded once, computed here
    kernel_source.js   JupyterLab: questions to Python (`labutils/controls/kernel.py` answers)
    liveness.js        what both share: does it live, and if not, why

    unicode.js         what kind of character is this? (the table of `labutils.text`)
    bytes.js           UTF-8, and GPT-2's symbols of the 256 bytes
    added.js           special tokens inside a text
    normalize.js       clean, space out, strip accents, lower-case            (BERT)
    pretokenize.js     cut into words that no token crosses
    bpe.js             GPT-2's words; bpe_fast.js applies merges by rank, and shows each
    wordpiece.js       BERT's words: longest piece first, and each try shown
    words.js           the words of the paper model
    template.js        special tokens, truncation, padding
    encoding.js        what is known about each token of a row
    tokenizer.js       the pipeline from text to ids and back

    hooks.js           each value that has a name is shown, where it stands, and may be exchanged
    linear.js          y = x W + b
    norms.js, embeddings.js, positions.js, scaled_dot_product.js, multi_head.js, feed_forward.js, blocks.js, heads.js
                       the layers
    records.js         what tells one architecture from another, and which parameters follow from it
    transformer.js     one model for every record; continuing.js goes on with a text
    trace.js           one pass with every stage that is wanted, and with changes; contributions.js
    weights.js         from base64 to tensors, with every check
    model_file.js      from a file's content to a model
    outside.js         what Python asks before it writes such a file

    own/               a reader's own file of GPT-2, which is too large to come with the site
      safetensors.js   the format, in slices, with every check
      plan.js          which tensor becomes which parameter
      arena.js         where the matrices lie; product.wat multiplies with them, four numbers at a time
      open.js          from a file to a model
      worker.js        beside the page; chosen.js asks it, and is the source of the page's controls
      named.js         rows of the table that no token has

    backward/          a GPT that is trained in a page, layer by layer as chapter 10 teaches it
      numbers.js, products.js               arrays, and the slow step
      arena.js, kernels.wat, squares.js     the memory in which a page trains, its loops, and attention in them
      linear.js, embeddings.js, layer_norm.js, attention.js, gelu.js, block.js, cross_entropy.js
                       each forward, with what the way back needs, and backward
      model.js         parameters, forward and backward of the whole; initial.js draws the weights
      adamw.js, schedule.js, training.js    one step; faults.js says where a number was lost
      stories.js, writing.js, plan.js, session.js
                       a run through the stories, in slices of time, and what it writes
      driver.js, worker.js                  a run that is driven by messages
      outside.js       what Python asks of it

A file that has a twin in `labutils.text`, `labutils.layers`, `labutils.models` or `labutils.trace` bears its name. The
names of stages stand where they are computed, as in Python; their axes come with the model's file, from the one table
of stages.

Python writes the files: model_file.py, tokenizer_file.py, export.py; stories.py draws those that a page trains on, and
counting.py measures what counting reaches on them.
"""
