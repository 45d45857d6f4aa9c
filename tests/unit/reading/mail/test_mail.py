"""Mails and mailboxes: the author's words, labelled; what is quoted, signed or attached is counted or said."""

from __future__ import annotations

import mailbox
import resource
import time
from email.message import EmailMessage
from email.mime.image import MIMEImage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading_samples import headings_of, left_out_of

from lsum_cli import read
from lsum_cli.errors import SourceError
from lsum_cli.reading.blocks import Tally
from lsum_cli.reading.mail.replies import own_text
from lsum_cli.reading.registry import ReadOptions
from lsum_cli.reading.sources import expand_sources


def mail(
    text: str, subject: str = "Tides", sender: str = "Ann Lee <ann@example.org>", html: str = ""
) -> EmailMessage:
    message = EmailMessage()
    message["From"] = sender
    message["To"] = "bob@example.org"
    message["Subject"] = subject
    message["Date"] = "Tue, 05 Mar 2024 14:20:00 +0100"
    message["Message-ID"] = "<1@example.org>"
    if text:
        message.set_content(text)
    if html:
        (message.add_alternative if text else message.set_content)(html, subtype="html")
    return message


@pytest.fixture
def read_mail(write):
    return lambda message, name="a.eml": read(write(name, bytes(message)))


def texts(document):
    return [sentence.text for sentence in document.sentences]


def test_a_mail_is_a_section_with_sender_and_date(read_mail):
    document = read_mail(mail("Hello Bob,\n\nthe tide rises. It falls as well.\n", subject="Café au lait"))
    assert document.title == "Café au lait"
    assert headings_of(document) == [(1, "Ann Lee, 2024-03-05 14:20")]
    assert texts(document) == ["The tide rises.", "It falls as well."]
    assert left_out_of(document) == {"greetings": 2}


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Dear members of the board of the harbour,\nwe close the gate.", "We close the gate."),
        ("Hi Bert, Anna closes the gate.", "Anna closes the gate."),
        ("Liebe Kolleginnen und Kollegen, wir schließen das Tor.", "Wir schließen das Tor."),
        ("Hi all,\n\niPhones stay outside the gate.", "iPhones stay outside the gate."),
        ("Hey the gate is shut, and nobody saw it.", "Hey the gate is shut, and nobody saw it."),
        ("Hello Bob!", "Hello Bob!"),
        ("Dear Anna, dear Tom,\n\nthe gate is shut.", "The gate is shut."),
        # What follows a greeting is no part of it.
        ("Hi all, here is what the board wants:\n\nA gate.", "Here is what the board wants:"),
        ("Hey, the gate is shut!\n\nNobody saw it.", "The gate is shut!"),
        ("Care Homes Board: the gate is shut.", "Care Homes Board: the gate is shut."),
    ],
)
def test_a_greeting_is_no_part_of_a_sentence(read_mail, text, first):
    assert texts(read_mail(mail(text)))[0] == first
    page = "".join(f"<p>{part}</p>" for part in text.split("\n") if part)
    assert texts(read_mail(mail("", html=page)))[0] == first


def test_a_line_that_opens_with_a_greeting_goes_on(read_mail):
    text = "Dear members, the gate of the harbour,\nwhich leaks, is shut."
    assert texts(read_mail(mail(text))) == [text.replace("\n", " ")]


def test_a_comma_in_the_name_of_a_sender(read_mail):
    document = read_mail(
        mail("The tide rises.", sender="=?utf-8?q?M=C3=BCller=2C_J=C3=B6rg?= <j@example.org>")
    )
    assert headings_of(document) == [(1, "Müller, Jörg, 2024-03-05 14:20")]


BASE64 = "hQEMA8abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabca\n" * 3


def test_what_is_encrypted_signed_or_encoded_within_the_text_is_no_text(read_mail):
    encrypted = f"-----BEGIN PGP MESSAGE-----\nVersion: GnuPG v2\n\n{BASE64}-----END PGP MESSAGE-----\n"
    with pytest.raises(SourceError, match="is an encrypted mail"):
        read_mail(mail(encrypted))
    half = read_mail(mail(f"The tide rises.\n\n{encrypted}\nIt falls.\n"))
    assert texts(half) == ["The tide rises.", "It falls."]
    assert half.metadata.unknown == ("a part of the mail is encrypted and was not read",)
    signed = read_mail(
        mail(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nThe tide rises.\n"
            f"-----BEGIN PGP SIGNATURE-----\n\n{BASE64}-----END PGP SIGNATURE-----\n"
        )
    )
    assert texts(signed) == ["The tide rises."]
    assert left_out_of(signed)["signatures"] > 0
    file = read_mail(mail("See the map.\n\nbegin 644 map.gif\n" + "M1234567890!#$%&abc\n" * 3 + "`\nend\n"))
    assert texts(file) == ["See the map."]
    assert file.metadata.warnings == ("1 attachment was not read: map.gif",)


def test_replies_signatures_and_list_footers_are_left_out_and_counted(read_mail):
    document = read_mail(
        mail(
            "I agree with that.\n\nOn Tue, 5 Mar 2024 at 14:20, Bob\n<bob@example.org> wrote:\n> Shall we\n> sail?\n>\n"
            "> Bob\n\nLet us go at noon.\n\n-- \nAnn Lee\nHarbour master\n"
            "_______________________________________________\nSailors mailing list\nhttps://lists.example.org\n"
        )
    )
    assert texts(document) == ["I agree with that.", "Let us go at noon."]
    assert left_out_of(document) == {
        "footers of mailing lists": 4,
        "signatures": 4,
        "quoted mails": 14,
    }


def test_a_signature_above_the_quotation_is_one(read_mail):
    document = read_mail(
        mail("It opens in May.\n\n-- \nAnn Lee\nTown Hall\n\nOn 5 March Bob wrote:\n> When does it open?\n")
    )
    assert texts(document) == ["It opens in May."]
    assert left_out_of(document)["signatures"] == 4


def test_what_is_answered_below_a_quotation_is_no_signature(read_mail):
    document = read_mail(mail("It opens in May.\n\n-- \n> And the pool?\n\nPerhaps in June.\n"))
    assert texts(document)[-1] == "Perhaps in June."


@pytest.mark.parametrize(
    "introduction",
    [
        "Am 05.03.2024 um 14:20 schrieb Bob:",
        "Le mar. 5 mars 2024 à 14:20, Bob <bob@example.org> a écrit :",
        "El mar, 5 mar 2024 a las 14:20, Bob (<bob@example.org>) escribió:",
    ],
)
def test_introductions_of_quotations_in_other_languages(read_mail, introduction):
    assert texts(read_mail(mail(f"Yes.\n\n{introduction}\n\n> Really?\n"))) == ["Yes."]


def test_outlook_replies_end_at_the_header_and_forwards_do_not(read_mail):
    below = "From: Bob\nSent: Monday\nTo: Ann\nSubject: Budget\n\nShall we raise it to 3 million?\n"
    reply = read_mail(mail(f"Agreed.\n\n-----Original Message-----\n{below}", subject="RE: Budget"))
    assert texts(reply) == ["Agreed."]
    assert texts(read_mail(mail(f"Agreed.\n\n{below}", subject="RE: Budget"))) == ["Agreed."]
    forward = read_mail(mail(f"Please read.\n\n-----Original Message-----\n{below}", subject="FW: Budget"))
    assert texts(forward) == ["Please read.", "Shall we raise it to 3 million?"]


def test_a_mail_of_nothing_but_a_quotation_keeps_it(read_mail):
    assert texts(read_mail(mail("> The tide rises.\n> It falls.\n"))) == ["The tide rises.", "It falls."]


def test_a_ruled_line_is_no_quotation(read_mail):
    text = "The first part.\n\n____________________________\n\nThe second part.\n"
    assert texts(read_mail(mail(text)))[-1] == "The second part."


def test_pages_are_read_without_what_they_quote(read_mail):
    page = (
        "<html><head><style>p {}</style></head><body><p>We meet at <b>noon</b>.</p>"
        "<div class='gmail_signature'>Ann Lee</div><div class='gmail_quote'><div class='gmail_attr'>On Monday Bob wrote:"
        "</div><blockquote>When do we meet?</blockquote></div></body></html>"
    )
    document = read_mail(mail("", html=page))
    assert texts(document) == ["We meet at noon."]
    assert left_out_of(document) == {"signatures": 2, "quoted mails": 8}


def test_plain_text_is_preferred_unless_it_is_a_makeshift(read_mail):
    page = "<p>The tide <i>rises</i> twice a day, and it falls as often.</p>"
    assert texts(read_mail(mail("The tide rises twice a day.\n", html=page))) == [
        "The tide rises twice a day."
    ]
    long = f"<h1>News</h1>{page * 12}"
    makeshift = read_mail(mail("Your program does not show HTML.\n", html=long))
    assert "Your program does not show HTML." not in texts(makeshift)
    assert len(texts(makeshift)) == 12


def test_attachments_are_named_and_enclosed_mails_are_read(read_mail):
    message = mail("See below.\n")
    message.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="plan.pdf")
    message.add_attachment(mail("The enclosed words.\n", subject="Inner", sender="Cy <cy@example.org>"))
    message.add_attachment("name,size\n", subtype="csv", filename="list.csv")
    document = read_mail(message)
    assert headings_of(document) == [
        (1, "Ann Lee, 2024-03-05 14:20"),
        (1, "Inner — Cy, 2024-03-05 14:20"),
    ]
    assert texts(document) == ["See below.", "The enclosed words."]
    assert document.metadata.warnings == ("2 attachments were not read: plan.pdf, list.csv",)


def test_no_base64_reaches_the_text(read_mail):
    message = mail("Grüße aus München. " * 30)
    message.replace_header(
        "Content-Transfer-Encoding", "base64"
    ) if "Content-Transfer-Encoding" in message else None
    message.add_attachment(bytes(range(256)) * 400, maintype="application", subtype="zip", filename="a.zip")
    document = read_mail(message)
    assert max(len(word) for word in document.text.split()) < 20


def test_raw_bytes_in_headers_and_flowed_lines(write):
    content = (
        "From: Zoë <z@example.org>\r\nSubject: Café\r\nDate: nonsense\r\nMIME-Version: 1.0\r\n"
        "Content-Type: text/plain; charset=utf-8; format=flowed\r\n\r\nThis line is broken \r\nby the program.\r\n"
    ).encode()
    document = read(write("raw.eml", content))
    assert (document.title, document.sections[0].heading) == ("Café", "Zoë, nonsense")
    assert texts(document) == ["This line is broken by the program."]


def test_what_has_no_text_is_an_error_of_one_line(write, read_mail):
    picture = EmailMessage()
    picture["From"] = "a@example.org"
    picture["Subject"] = "Look"
    picture.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="photo.png")
    with pytest.raises(SourceError, match=r"no text: only photo\.png; save what is attached"):
        read_mail(picture)
    inline = MIMEImage(b"\x89PNG", _subtype="png")
    inline["From"], inline["Subject"] = "a@example.org", "x"
    with pytest.raises(SourceError, match="no text: only image/png"):
        read(write("b.eml", bytes(inline)))
    encrypted = (
        b"From: a@example.org\nSubject: secret\nMIME-Version: 1.0\nContent-Type: multipart/encrypted; boundary=x;"
        b' protocol="application/pgp-encrypted"\n\n--x\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n\n'
        b"--x\nContent-Type: application/octet-stream\n\nhQEMA\n--x--\n"
    )
    with pytest.raises(SourceError, match="is an encrypted mail"):
        read(write("c.eml", encrypted))
    with pytest.raises(SourceError, match="is a text file, not a mail"):
        read(write("d.eml", "Just some prose without any header at all.\n"))


def test_parts_nested_beyond_reason_end(write):
    head = b"From: a@example.org\nSubject: deep\nMIME-Version: 1.0\n"
    parts = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(2_000)
    )
    with pytest.raises(SourceError, match=r"damaged|no text"):
        read(write("deep.eml", head + parts + b"Content-Type: text/plain\n\nhello\n"))


@given(st.text(alphabet="> \n-abAB:wrote_On1@.", max_size=300))
@settings(max_examples=200, deadline=None)
def test_every_word_of_a_mail_is_kept_or_counted(text):
    tally = Tally()
    kept = own_text(text, tally)
    left_out = sum(part.words for part in tally.left_out())
    words = text.replace(">", " ").split()
    assert len(kept.replace(">", " ").split()) + left_out >= 0.9 * len(words) - 3


MBOX = """From ann@example.org Tue Mar  5 14:20:00 2024
From: Ann Lee <ann@example.org>
Subject: Plan
Date: Tue, 5 Mar 2024 14:20:00 +0100

The plan is ready.
>From May on there is cake.

From Monday 2024 we begin, which is no separator.

From bob@example.org Wed Mar  6 09:00:00 2024
From: Bob <bob@example.org>
Subject: Re: Plan
Date: Wed, 6 Mar 2024 09:00:00 +0000

Great news.
"""


def test_a_mailbox_is_a_section_per_mail(write):
    document = read(write("inbox.mbox", MBOX))
    assert headings_of(document) == [
        (1, "Plan — Ann Lee, 2024-03-05 14:20"),
        (1, "Re: Plan — Bob, 2024-03-06 09:00"),
    ]
    assert texts(document) == [
        "The plan is ready.",
        "From May on there is cake.",
        "From Monday 2024 we begin, which is no separator.",
        "Great news.",
    ]
    assert read(write("Inbox", MBOX.replace("\n", "\r\n"))).metadata.media_type == "application/mbox"


def test_each_mail_of_a_mailbox_is_a_source(write):
    path = write("inbox.mbox", MBOX)
    sources = expand_sources([path], each=True).sources
    assert sources == (f"{path}#1", f"{path}#2")
    assert expand_sources([path]).sources == (str(path),)
    second = read(sources[1])
    assert (second.title, second.source, texts(second)) == ("Re: Plan", f"{path}#2", ["Great news."])
    with pytest.raises(SourceError, match="has 2 mails"):
        read(f"{path}#3")
    with pytest.raises(SourceError, match="does not exist"):
        read(f"{path}x#1")


def test_mails_that_cannot_be_read_are_said(write, tmp_path):
    box = mailbox.mbox(tmp_path / "mixed.mbox")
    box.add(mail("The tide rises.\n"))
    secret = EmailMessage()
    secret["From"], secret["Content-Type"] = (
        "a@example.org",
        "application/pkcs7-mime; smime-type=enveloped-data",
    )
    box.add(bytes(secret))
    picture = EmailMessage()
    picture["From"] = "a@example.org"
    picture.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="photo.png")
    box.add(picture)
    box.close()
    document = read(tmp_path / "mixed.mbox")
    assert document.metadata.unknown == ("1 mail is encrypted and could not be read",)
    assert document.metadata.warnings == (
        "1 mail is without text",
        "1 attachment was not read: photo.png",
    )


def test_beyond_the_limit_the_first_mails_are_read_and_it_is_said(write):
    document = read(write("inbox.mbox", MBOX), ReadOptions(max_bytes=20))
    assert len(document.sections) == 1
    assert document.metadata.unknown[0].startswith("only the first 1 of 2 mails were read")


def test_a_mail_too_large_is_said_and_the_others_are_read(write):
    large = MBOX.replace("Great news.", "Great news. " * 500)
    document = read(write("inbox.mbox", large), ReadOptions(max_pdf_bytes=3_000))
    assert headings_of(document) == [(1, "Plan — Ann Lee, 2024-03-05 14:20")]
    assert document.metadata.unknown == ("1 mail is too large to be read",)
    with pytest.raises(SourceError, match=r"inbox\.mbox#2 is too large"):
        read(f"{document.source}#2", ReadOptions(max_pdf_bytes=3_000))


def test_text_parts_with_a_name_are_shown_unless_attached(write):
    head = "From: a@example.org\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
    part = "--b\nContent-Type: text/plain; name=note.txt\n{}\nThe tide {}.\n"
    attached = part.format("Content-Disposition: attachment; filename=log.txt\n", "falls")
    document = read(write("a.eml", f"{head}{part.format('', 'rises')}{attached}--b--\n"))
    assert texts(document) == ["The tide rises."]
    assert document.metadata.warnings == ("1 attachment was not read: log.txt",)


def test_a_large_mailbox_streams(tmp_path):
    path = tmp_path / "large.mbox"
    attachment = b"QUJDRA" * 12 + b"\n"
    with path.open("wb") as file:
        for number in range(30):
            file.write(
                b"From a@example.org Tue Mar  5 14:20:00 2024\nFrom: a@example.org\nSubject: S%d\n" % number
            )
            file.write(
                b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nMail %d is here.\n"
                % number
            )
            file.write(b"--x\nContent-Type: application/zip\nContent-Transfer-Encoding: base64\n\n")
            file.write(attachment * 40_000 + b"--x--\n\n")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    document = read(path, ReadOptions(max_pdf_bytes=8 << 20))
    assert len(document.sections) == 30
    assert time.process_time() - began < 20
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 70_000  # KiB; the file has 88 MB


def test_a_mail_that_was_not_received_whole_is_lost_in_part(tmp_path):
    whole = (
        "From: Ann <ann@example.org>\nTo: Bob <bob@example.org>\nDate: Tue, 5 Mar 2024 14:20:00 +0000\n"
        'Subject: Tides\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="xx"\n\n'
        "--xx\nContent-Type: text/plain\n\nThe tide rises in the harbour every day at noon.\n"
        "--xx\nContent-Type: text/plain\n\nAnd it falls in the evening, before the lamps are lit.\n--xx--\n"
    )
    path = tmp_path / "a.eml"
    path.write_text(whole)
    assert read(path).metadata.unknown == ()
    path.write_text(whole[: whole.index("lamps")])
    assert read(path).metadata.unknown == ("the mail is cut off: its last part has no end",)


@pytest.mark.parametrize("kind", ["asciidoc", "x-markdown", "x-notes"])
def test_the_one_text_of_a_mail_may_be_of_any_kind(write, kind):
    mark = {"asciidoc": "==", "x-markdown": "##"}.get(kind, "===")
    title = f"{mark} How to open the gate" + (" ===" if mark == "===" else "")
    body = f"{title}\n\nTurn the wheel to the left until the basin is full.\n"
    document = read(write("a.eml", f"From: ann@example.org\nSubject: x\nContent-Type: text/{kind}\n\n{body}"))
    assert texts(document) == ["Turn the wheel to the left until the basin is full."]
    assert "How to open the gate" in [section.heading for section in document.sections]


def test_a_record_is_no_text_of_a_mail(write):
    with pytest.raises(SourceError, match="no text: only text/calendar"):
        read(
            write(
                "a.eml", "From: a@example.org\nSubject: x\nContent-Type: text/calendar\n\nBEGIN:VCALENDAR\n"
            )
        )
