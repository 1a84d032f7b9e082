"""One measurement in a process of its own: the documents of the benchmark as PDF files with ReportLab.

`print_notices.py FOLDER DOCUMENTS_TO_WARM_UP`: the same text, tables, fonts and page breaks as the product, drawn directly on the canvas, which is
ReportLab's fastest way. Fonts are read once. ReportLab writes no tags for screen readers, and its digits are not of equal width.
"""

import io
import json
import os
import resource
import sys
import time

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

FOLDER = sys.argv[1]
for name in ("inter-400", "inter-500", "inter-600", "jetbrains-mono-500"):
    pdfmetrics.registerFont(TTFont(name, os.path.join(FOLDER, name + ".ttf")))
REGULAR, MEDIUM, STRONG, MONO = "inter-400", "inter-500", "inter-600", "jetbrains-mono-500"
INK, INK2, INK3, LINE = (HexColor(code) for code in ("#14191d", "#4b555d", "#636d75", "#e3e6e8"))
LEFT, TOP, BOTTOM = 49.5, 46, 54
width_of = pdfmetrics.stringWidth


class Page:
    def __init__(self, document):
        self.size = landscape(A4) if document.get("isLandscape") else A4
        self.buffer = io.BytesIO()
        self.canvas = Canvas(self.buffer, pagesize=self.size, pageCompression=1, invariant=1, lang="en")
        self.canvas.setTitle(document["title"] + ", " + document["subtitle"])
        self.canvas.setAuthor(document["issuer"])
        self.canvas.setSubject(document["reference"])
        self.heading = document["title"] + " \u00b7 " + document["subtitle"]
        self.left, self.right, self.y = LEFT, self.size[0] - LEFT, TOP
        self.pages = []

    def text(self, text, font, size, colour, x, dy=0.0, right=None):
        if right is not None:
            x = right - width_of(text, font, size)
        canvas = self.canvas
        canvas.setFont(font, size)
        canvas.setFillColor(colour)
        canvas.drawString(x, self.size[1] - self.y - dy - size * 0.97, text)

    def rule(self, colour, thickness, y=None):
        canvas = self.canvas
        canvas.setStrokeColor(colour)
        canvas.setLineWidth(thickness)
        at = self.size[1] - (self.y if y is None else y)
        canvas.line(self.left, at, self.right, at)

    def room(self, height):
        if self.y + height <= self.size[1] - BOTTOM:
            return False
        self.new_page()
        return True

    def new_page(self):
        # Kept until the number of pages is known.
        self.pages.append(dict(self.canvas.__dict__))
        self.canvas._startPage()
        self.y = TOP + 22

    def finish(self, footer):
        self.pages.append(dict(self.canvas.__dict__))
        left, right = LEFT, self.size[0] - LEFT
        for index, page in enumerate(self.pages):
            self.canvas.__dict__.update(page)
            self.left, self.right = left, right
            bottom = self.size[1] - BOTTOM + 16
            self.rule(LINE, 0.4, bottom)
            self.y = bottom + 7
            self.text(footer, REGULAR, 7.5, INK3, left)
            self.text("Page %d of %d" % (index + 1, len(self.pages)), REGULAR, 7.5, INK3, 0, right=right)
            if index > 0:
                self.y = TOP - 10
                self.text(self.heading, REGULAR, 7.5, INK3, left)
                self.rule(LINE, 0.4, TOP + 5)
            self.canvas.showPage()
        self.canvas.save()
        return len(self.pages), self.buffer.getvalue()


def fitted(text, font, size, width):
    while size > 4 and width_of(text, font, size) > width:
        size -= 0.5
    return size


def title(page, text, roomy, note=None):
    page.room(60)
    size = 9.5 if roomy else 10.5
    page.text(text, STRONG, size, INK, page.left)
    if note:
        page.text(note, REGULAR, 7.5, INK3, page.left + width_of(text, STRONG, size) + 10, 2.5)
    page.y += 15.5 if roomy else 18


def addressee(page, block):
    middle = page.left + (page.right - page.left) * 0.56
    top = page.y
    for index, line in enumerate([block["name"], *block["lines"]]):
        for piece in simpleSplit(line, STRONG if index == 0 else REGULAR, 9.25, middle - page.left - 20):
            page.text(piece, STRONG if index == 0 else REGULAR, 9.25, INK, page.left)
            page.y += 13.9
    height = page.y - top
    page.y = top + 1.5
    for fact in block["facts"]:
        page.text(fact["label"], REGULAR, 9.25, INK2, middle)
        page.text(fact["value"], MEDIUM, 9.25, INK, 0, right=page.right)
        page.y += 15.75
    page.y = top + max(height, page.y - top) + 15


def figures(page, block):
    height, count = 46, len(block["figures"])
    width = (page.right - page.left) / count
    canvas = page.canvas
    canvas.setStrokeColor(HexColor("#cfd4d8"))
    canvas.setLineWidth(0.6)
    canvas.roundRect(page.left, page.size[1] - page.y - height, page.right - page.left, height, 4.5)
    for index, figure in enumerate(block["figures"]):
        x = page.left + index * width
        if index > 0:
            canvas.line(x, page.size[1] - page.y, x, page.size[1] - page.y - height)
        page.text(figure["label"], REGULAR, 7.5, INK3, x + 10, 8)
        font = MONO if figure.get("isCode") else STRONG
        page.text(figure["value"], font, fitted(figure["value"], font, 10 if figure.get("isCode") else 13, width - 20), INK, x + 10, 19)
    page.y += height + 20


def paragraph(page, block):
    size, line = (7.9, 11.25) if block.get("isSmall") else (9.25, 13.9)
    if block.get("title"):
        title(page, block["title"], True)
    for piece in simpleSplit(block["text"], REGULAR, size, page.right - page.left):
        page.room(line)
        page.text(piece, REGULAR, size, INK2 if block.get("isSmall") else INK, page.left)
        page.y += line
    page.y += 10 if block.get("isSmall") else 15


def table(page, block):
    roomy = block.get("isRoomy", False)
    size, head, line, space = (9.25, 8.25, 12.6, 3.45) if roomy else (8.5, 7.5, 12, 3)
    if block["title"]:
        title(page, block["title"], roomy, block.get("note"))
    whole = sum(column["width"] for column in block["columns"])
    places, at = [], page.left
    for index, column in enumerate(block["columns"]):
        width = column["width"] / whole * (page.right - page.left)
        before, after = (5 if index else 0), (5 if index < len(block["columns"]) - 1 else 0)
        places.append((at + before, width - before - after, column.get("isNumeric", False)))
        at += width

    def heads():
        page.room(3 * line)
        for (x, width, numeric), column in zip(places, block["columns"]):
            page.text(column["head"], MEDIUM, head, INK2, x, space, right=x + width if numeric else None)
        page.y += line + 2 * space
        page.rule(INK, 0.7)

    def row(cells, strong, remark=None):
        font = STRONG if strong else REGULAR
        drawn = []
        for (x, width, numeric), cell in zip(places, cells):
            if numeric:
                drawn.append(([cell], fitted(cell, font, size, width)))
            else:
                drawn.append((simpleSplit(cell, font, size, width)[:3] or [""], size))
        height = max(len(lines) for lines, _ in drawn) * line + 2 * space
        if page.room(height):
            heads()
        for (x, width, numeric), (lines, fitting) in zip(places, drawn):
            for index, piece in enumerate(lines):
                page.text(piece, font, fitting, INK, x, space + index * line, right=x + width if numeric else None)
        if remark:
            page.text(" \u00b7 " + remark, REGULAR, size, INK2, places[0][0] + width_of(cells[0], font, size), space)
        page.y += height

    heads()
    for each in block["rows"]:
        row(each["cells"], each.get("isStrong", False), each.get("remark"))
        page.rule(LINE, 0.5)
    if block.get("total"):
        row(block["total"], True)
    page.y += 16 if roomy else 20


def details(page, block):
    title(page, block["title"], True)
    page.y += 1.5
    for detail in block["details"]:
        font, size = (MONO, 9) if detail.get("isCode") else (MEDIUM, 9.25)
        page.text(detail["label"], REGULAR, 9.25, INK2, page.left)
        for index, piece in enumerate(simpleSplit(detail["value"], font, size, page.right - page.left - 117)):
            page.text(piece, font, size, INK, page.left + 105, index * 13.9)
        page.y += 15
    page.y += 6


def signatory(page, block):
    title(page, block["title"], True)
    page.text(block["organization"], REGULAR, 7.9, INK2, page.left)
    page.y += 41.25
    page.rule(LINE, 0.5)
    page.y += 4.5
    for text, font, colour in ((block["name"], STRONG, INK), (block["role"], REGULAR, INK2)):
        if text:
            page.text(text, font, 9.25, colour, page.left)
            page.y += 13.9
    page.y += 6


def sides(page, block):
    left, right, top = page.left, page.right, page.y
    whole = sum(side["width"] for side in block["sides"])
    free = right - left - 33 * (len(block["sides"]) - 1)
    at, lowest = left, top
    for side in block["sides"]:
        page.left, page.right, page.y = at, at + side["width"] / whole * free, top
        for each in side["blocks"]:
            DRAW[each["kind"]](page, each)
        lowest = max(lowest, page.y)
        at = page.right + 33
    page.left, page.right, page.y = left, right, lowest


DRAW = {
    "addressee": addressee,
    "figures": figures,
    "text": paragraph,
    "table": table,
    "details": details,
    "signatory": signatory,
    "sides": sides,
}


def print_document(document):
    page = Page(document)
    page.text(document["issuer"], STRONG, 11, INK, page.left, 2)
    for index, line in enumerate(document["contact"]):
        page.text(line, REGULAR, 7.9, INK2, 0, index * 10.5 - (len(document["contact"]) - 1) * 4, right=page.right)
    page.y += 29
    page.rule(INK, 0.8)
    page.y += 22
    page.text(document["title"], STRONG, 18, INK, page.left)
    page.y += 24
    page.text(document["subtitle"], REGULAR, 9.75, INK2, page.left)
    page.y += 32
    for block in document["blocks"]:
        DRAW[block["kind"]](page, block)
    return page.finish(document["footer"])


with open(os.path.join(FOLDER, "documents.json"), encoding="utf-8") as file:
    documents = json.load(file)
for document in documents[: int(sys.argv[2])]:
    print_document(document)
before = resource.getrusage(resource.RUSAGE_SELF)
started = time.perf_counter()
pages = size = 0
for document in documents:
    count, pdf = print_document(document)
    pages += count
    size += len(pdf)
elapsed = time.perf_counter() - started
usage = resource.getrusage(resource.RUSAGE_SELF)
if len(sys.argv) > 3:
    with open(sys.argv[3], "wb") as file:
        file.write(print_document(documents[int(sys.argv[4])])[1])
print(
    json.dumps(
        {
            "elapsedMs": elapsed * 1000,
            "cpuMs": (usage.ru_utime + usage.ru_stime - before.ru_utime - before.ru_stime) * 1000,
            "peakBytes": usage.ru_maxrss * 1024,
            "pages": pages,
            "bytes": size,
            "documents": len(documents),
        }
    )
)
