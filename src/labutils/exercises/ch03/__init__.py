"""The exercises of chapter 3: halves (3.1), middle (3.2), bucket (3.3), collect (3.4), segments (3.5),
schemes (3.6).
"""
