"""The exercises of chapter 4: merge (4.1), attention (4.2), backward (4.3), seeing (4.4), parts (4.5),
preposition (4.6).

`black_boxes.py` makes the models of 4.4, `fresh_stories.py` counts for 4.6.
"""
