"""The exercises of chapter 3: halves (3.1), odd (3.2), middle (3.3), bucket (3.4), collect (3.5), segments (3.6),
schemes (3.7), through (3.8), freed (3.9), closest (3.10).
"""
