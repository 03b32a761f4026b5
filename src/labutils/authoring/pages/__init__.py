"""The pages that the book writes about itself, a module each; `generated` lists them all."""
