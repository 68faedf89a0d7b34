"""Titles and legends, and words of results in them."""
import textwrap

import matplotlib

DPI = 130  # of pictures in pixels


def plain(text):
    """A text of a deck as it stands: without control characters, and no formula."""
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if "text.parse_math" in matplotlib.rcParams else text.replace("$", r"\$")


def shorten(text, length):
    return text if len(text) <= length else text[:length - 1] + "\u2026"


def add_title(figure, first, second, letters):
    """The title: field and time; below it the deck's title. Lines break so that nothing is cut. Returns the height of all [inch]."""
    lines = textwrap.wrap(plain(first), letters) or [""]
    more = textwrap.wrap(plain(second), int(1.15 * letters))[:3]
    height = figure.get_size_inches()[1]
    top = 0.09
    for text, size, weight in [(t, 11, "bold") for t in lines] + [(t, 9.5, "normal") for t in more]:
        figure.text(0.5, 1.0 - top / height, text, ha="center", va="top", fontsize=size, fontweight=weight)
        top += 0.0195 * size
    return top


def add_legend(where, handles, labels, **keywords):
    """Names may begin with an underscore, which would keep them out."""
    legend = where.legend(handles, ["x" * min(len(label), 60) for label in labels], **keywords)
    for text, label in zip(legend.get_texts(), labels):
        text.set_text(plain(label))
    return legend
