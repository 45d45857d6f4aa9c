"""EPUB books, whole, broken, protected and malicious."""

from __future__ import annotations

import pytest
from reading_samples import PROSE, headings_of, left_out_of

from lsum_cli import read
from lsum_cli.errors import SourceError
from lsum_cli.reading.registry import ReadOptions

CONTAINER = """<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
<rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""


def xhtml(body: str, attributes: str = "") -> str:
    return f"""<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head>
<body {attributes}>{body}</body></html>"""


def package(files: list[str], spine: list[str] | None = None, extra: str = "") -> str:
    properties = {"nav": ' properties="nav"'}
    items = "".join(
        f'<item id="{name}" href="{name}.xhtml" media-type="application/xhtml+xml"{properties.get(name, "")}/>'
        for name in files
    )
    references = "".join(f'<itemref idref="{name}"/>' for name in spine or files)
    return f"""<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A Book</dc:title><dc:language>en-GB</dc:language></metadata>
<manifest>{items}{extra}</manifest><spine>{references}</spine></package>"""


def book(
    chapters: dict[str, str], nav: str | None = None, spine: list[str] | None = None, extra: str = ""
) -> dict[str, str]:
    members = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER}
    files = list(chapters)
    if nav is not None:
        files.append("nav")
        members["OEBPS/nav.xhtml"] = xhtml(f'<nav epub:type="toc"><h1>Contents</h1><ol>{nav}</ol></nav>')
    members["OEBPS/content.opf"] = package(files, spine, extra)
    members |= {
        f"OEBPS/{name}.xhtml": content if content.startswith("<?xml") else xhtml(content)
        for name, content in chapters.items()
    }
    return members


def test_chapters_come_in_the_order_of_the_spine(pack):
    members = book(
        {"b": f"<h1>Second</h1><p>{PROSE}</p>", "a": f"<h1>First</h1><p>{PROSE}</p>"}, spine=["a", "b"]
    )
    document = read(pack("a.epub", members))
    assert (document.title, document.language) == ("A Book", "en")
    assert headings_of(document) == [(1, "First"), (1, "Second")]
    assert document.metadata.media_type == "application/epub+zip"


def test_front_pages_are_left_out_and_counted(pack):
    members = book(
        {
            "cover": "<p>A Book</p>",
            "titlepage": "<h1>A Book</h1><p>by Nobody</p>",
            "x1": xhtml("<p>Copyright by Nobody.</p>", 'epub:type="copyright-page"'),
            "one": f"<h1>One</h1><p>{PROSE}</p>",
        },
        nav='<li><a href="one.xhtml">One</a></li>',
    )
    document = read(pack("a.epub", members))
    assert headings_of(document) == [(1, "One")]
    assert left_out_of(document) == {"cover, title, contents and copyright pages": 2 + 4 + 3 + 2}


def test_authors_and_licence_below_the_title_of_a_docbook_book_are_left_out(pack):
    front = (
        '<h1 class="title">A Book</h1><div class="author"><h3 class="author">Jane Miller</h3></div>'
        '<div class="legalnotice"><p>You may copy this book for a fee or free.</p></div>'
        '<div class="abstract"><p>This book tells the history of the weir.</p></div>'
    )
    document = read(pack("a.epub", book({"index": front, "one": f"<h1>One</h1><p>{PROSE}</p>"})))
    assert headings_of(document) == [(1, "A Book"), (1, "One")]
    assert document.text.startswith("A Book\n\nThis book tells the history of the weir.")
    # Some books call what they are about a licence.
    front = front.replace(
        "You may copy this book for a fee or free", "The weir held the river for a thousand years"
    )
    document = read(pack("b.epub", book({"index": front, "one": f"<h1>One</h1><p>{PROSE}</p>"})))
    assert document.text.startswith("A Book\n\nThe weir held the river for a thousand years.")


def test_the_authors_of_an_anthology_head_its_chapters(pack):
    chapters = {
        "one": f'<h1 class="author">Emily Weir</h1><h2>The gate</h2><p>{PROSE}</p>',
        "two": f'<h1 class="author">Robert Dyke</h1><h2>The lock</h2><p>{PROSE}</p>',
    }
    document = read(pack("a.epub", book(chapters)))
    assert headings_of(document) == [(1, "Emily Weir"), (2, "The gate"), (1, "Robert Dyke"), (2, "The lock")]
    together = {"all": "".join(chapters.values())}
    assert headings_of(read(pack("b.epub", book(together)))) == headings_of(document)


def test_titles_of_the_navigation_stand_in_for_missing_headings(pack):
    members = book(
        {"one": f"<p class='h'>1</p><p>{PROSE}</p>", "two": f"<p>{PROSE}</p><p id='middle'>{PROSE}</p>"},
        nav='<li><a href="one.xhtml">The Beginning</a></li><li><a href="two.xhtml">The End</a>'
        '<ol><li><a href="two.xhtml#middle">The very End</a></li></ol></li>',
    )
    document = read(pack("a.epub", members))
    assert headings_of(document) == [(1, "The Beginning"), (1, "The End"), (2, "The very End")]


def test_the_older_table_of_contents_is_understood(pack):
    ncx = """<?xml version="1.0"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>
    <navPoint id="a"><navLabel><text>Part One</text></navLabel><content src="one.xhtml"/>
    <navPoint id="b"><navLabel><text>Chapter 1</text></navLabel><content src="two.xhtml"/></navPoint></navPoint></navMap></ncx>"""
    members = book(
        {"one": f"<p>{PROSE}</p>", "two": f"<h1>Chapter 1</h1><p>{PROSE}</p>"},
        extra='<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
    )
    document = read(pack("a.epub", members | {"OEBPS/toc.ncx": ncx}))
    assert headings_of(document) == [(1, "Part One"), (2, "Chapter 1")]


def test_named_entities_and_self_closing_tags_are_read(pack):
    members = book(
        {"one": f"<h1>One&nbsp;more</h1><script/><a id='x'/><p>Caf&eacute; &amp; bar. {PROSE}</p>"}
    )
    document = read(pack("a.epub", members))
    assert "Café & bar." in document.text
    assert headings_of(document) == [(1, "One more")]


def test_a_chapter_that_is_no_proper_xml_is_read_all_the_same(pack):
    members = book({"one": f"<h1>One<p>{PROSE}<br>And more.</body>"})
    assert "And more." in read(pack("a.epub", members)).text


def test_missing_chapters_are_lost_in_an_amount_that_nobody_knows(pack):
    names = [f"c{number}" for number in range(20)]
    members = book(dict.fromkeys(names, f"<p>{PROSE}</p>"))
    for name in names[1:]:
        del members[f"OEBPS/{name}.xhtml"]
    (lost,) = read(pack("a.epub", members)).metadata.unknown
    assert lost == (
        "19 of 20 chapters are missing in the book (OEBPS/c1.xhtml, OEBPS/c2.xhtml, OEBPS/c3.xhtml,"
        " OEBPS/c4.xhtml, OEBPS/c5.xhtml and 14 more)"
    )


def test_a_damaged_chapter_is_lost_and_the_others_are_read(pack):
    path = pack("a.epub", book({"one": f"<p>{PROSE}</p>", "two": f"<p>{PROSE * 9}</p>"}))
    content = bytearray(path.read_bytes())
    place = content.find(b"OEBPS/two.xhtml") + 40
    content[place] ^= 0xFF
    path.write_bytes(content)
    document = read(path)
    assert document.metadata.unknown == ("1 of 2 chapters is damaged and could not be read",)
    assert PROSE.split(".")[0] in document.text


ENCRYPTION = """<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#">
<EncryptionMethod Algorithm="{}"/><CipherData><CipherReference URI="OEBPS/one.xhtml"/></CipherData></EncryptedData></encryption>"""


def test_copy_protection_is_refused_scrambled_fonts_are_not(pack):
    members = book({"one": f"<p>{PROSE}</p>"})
    protected = ENCRYPTION.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc")
    with pytest.raises(SourceError, match="DRM"):
        read(pack("a.epub", members | {"META-INF/encryption.xml": protected}))
    scrambled = ENCRYPTION.format("http://www.idpf.org/2008/embedding")
    assert PROSE in read(pack("b.epub", members | {"META-INF/encryption.xml": scrambled})).text


def test_entities_are_never_expanded(pack):
    bomb = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "lolololol">' + "".join(
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(10)
    )
    members = book({"one": bomb + f"]><html><body><p>&k; {PROSE}</p></body></html>"})
    document = read(pack("a.epub", members))
    assert "lolol" not in document.text
    with pytest.raises(SourceError, match=r"content.opf"):
        read(pack("b.epub", members | {"OEBPS/content.opf": bomb + "]><package>&k;</package>"}))


def test_files_of_the_machine_are_never_read(pack, write):
    secret = write("secret.txt", "the secret words")
    outside = f'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY x SYSTEM "{secret.as_uri()}">]><html><body><p>&x; {PROSE}</p></body></html>'
    assert "secret words" not in read(pack("a.epub", book({"one": outside}))).text


def test_bombs_are_stopped_by_what_really_comes_out(pack):
    members = book({"one": f"<p>{PROSE}</p>" * 50_000})
    with pytest.raises(SourceError, match="unpacks to more than the limit"):
        read(pack("a.epub", members), ReadOptions(max_bytes=1 << 20))
    members = book({"one": "<p>" + "a" * 40_000_000 + "</p>"})
    with pytest.raises(SourceError, match="unpacks to more than the limit"):
        read(pack("b.epub", members))
    members = book({f"c{number}": f"<p>{PROSE}</p>" * 2_000 for number in range(20)})
    with pytest.raises(SourceError, match="unpacks to more than the limit"):
        read(pack("c.epub", members), ReadOptions(max_bytes=600_000))


def test_a_lying_size_does_not_help_a_bomb(pack):
    path = pack("a.epub", book({"one": f"<p>{PROSE}</p>" * 50_000}))
    size = len(book({"one": f"<p>{PROSE}</p>" * 50_000})["OEBPS/one.xhtml"]).to_bytes(4, "little")
    content = path.read_bytes()
    assert size in content
    path.write_bytes(content.replace(size, (100).to_bytes(4, "little")))
    with pytest.raises(SourceError, match=r"unpacks to more than the limit|damaged"):
        read(path, ReadOptions(max_bytes=1 << 20))


@pytest.mark.parametrize(
    ("drop", "message"),
    [("OEBPS/content.opf", "content.opf is missing"), ("META-INF/container.xml", "names no package|damaged")],
)
def test_missing_parts(pack, drop, message):
    members = book({"one": f"<p>{PROSE}</p>"})
    del members[drop]
    path = pack("a.epub", members)
    if drop == "META-INF/container.xml":
        assert PROSE in read(path).text  # the package file is found without it
    else:
        with pytest.raises(SourceError, match=message):
            read(path)


def test_damaged_archives(pack, write):
    whole = pack("a.epub", book({"one": f"<p>{PROSE}</p>"})).read_bytes()
    with pytest.raises(SourceError, match="damaged"):
        read(write("cut.epub", whole[: len(whole) // 2]))
    with pytest.raises(SourceError, match="damaged"):
        read(write("noise.epub", b"PK\x03\x04" + bytes(range(256)) * 20))
    flipped = bytearray(whole)
    middle = whole.index(b"OEBPS/one.xhtml") + 60
    flipped[middle : middle + 20] = bytes(20)
    with pytest.raises(SourceError, match=r"damaged|no text"):
        read(write("flipped.epub", bytes(flipped)))


def test_other_archives_are_named(pack):
    with pytest.raises(SourceError, match="a zip archive"):
        read(pack("a.zip", {"a.txt": PROSE}))
    with pytest.raises(SourceError, match="damaged: META-INF"):
        read(pack("a.epub", {"a.txt": PROSE}))
    with pytest.raises(SourceError, match="an Excel workbook") as error:
        read(pack("a.bin", {"xl/workbook.xml": "<x/>"}))
    assert "libreoffice" in error.value.next_step
    with pytest.raises(SourceError, match="an OpenDocument presentation"):
        read(pack("a.odp", {"mimetype": "application/vnd.oasis.opendocument.presentation"}))


def test_too_many_members(pack):
    members = book({"one": f"<p>{PROSE}</p>"}) | {f"x{number}": "" for number in range(21_000)}
    with pytest.raises(SourceError, match="more than 20,000 files"):
        read(pack("a.epub", members))
