"""Writers: a page's texts as the bytes that a site would serve, mathematics in one of eight
encodings.
"""
