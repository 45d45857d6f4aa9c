"""Lines that a web page puts around and between its text: what it offers, links, comments of readers."""

from __future__ import annotations

import re

from lsum_cli.text.patterns import regex

# What stands above a picture, a script or a form, so that what follows is the text again.
INTERRUPTION = regex(
    r"(?:advertisement|anzeige|publicit(?:é|e)|share this(?: (?:article|story|post|page))?"
    r"|diesen (?:inhalt|artikel|beitrag) per e-?mail versenden|partager cet article)\W{0,3}",
    re.I,
)
# What stands above links to other pages in the midst of a text.
ASIDE_HEADING = regex(
    r"(?:related(?: (?:articles?|coverage|stor(?:y|ies)|posts?|content|topics?|links?|news|reading|videos?))?"
    r"|more (?:stories|articles|news|posts|from [^.]{1,40}|(?:on|like) this(?: \w+)?)"
    r"|recommended(?: (?:for you|stories|articles|posts|reading|videos))?"
    r"|editor(?:['’]?s|s['’])? (?:picks?|choice|recommendations?)|you (?:may|might) also (?:like|enjoy)"
    r"|read (?:more|next|this next)|don['’]t miss(?: this| out)?|most (?:read|popular|viewed)"
    r"|trending(?: now)?|up next|promoted (?:stories|content)|follow us"
    r"|mehr zum thema|das k(?:ö|oe)nnte (?:sie|dich) auch interessieren|lesen sie auch|auch interessant"
    r"|themen in diesem artikel"
    r"|(?:à|a) lire aussi|lire aussi|sur le m(?:ê|e)me (?:sujet|th(?:è|e)me)"
    r"|te puede interesar|noticias relacionadas|leggi anche)\W{0,3}",
    re.I,
)
# The same in scripts whose words need no such care, before the links in one paragraph with them.
ASIDE_LEAD = regex(
    r"(?:เรื่องที่เกี่ยวข้อง|ข่าวที่เกี่ยวข้อง|บทความที่เกี่ยวข้อง|อ่านเพิ่มเติม|関連(?:記事|ニュース|リンク)|相关(?:阅读|新闻|文章|报道|链接)"
    r"|相關(?:閱讀|新聞|文章|報道|報導|連結)"
    r"|관련 ?기사|اقر[أا] أيضا?ً?ا?|مواضيع ذات صلة|читайте также|по теме)"
    r"(?=\W|$)",
    re.I,
)
# What stands above the comments of readers: "27 comments", "Leave a reply"; "Comments" may be a chapter.
OF_READERS = regex(
    r"#?\d+ (?:(?:reader )?comments?|(?:leser)?kommentare?|commentaires?|comentarios?|commenti|reacties)"
    r"(?: ?\W{1,3})?"
    r"|#\d+ (?:comment by|kommentar von|commentaire de) .{1,80}"
    r"|(?:comments?|kommentare?|commentaires?|comentarios?|commenti|reacties) ?\(\d+\)"
    r"|leave a (?:comment|reply)(?: cancel reply| to [^.]{1,60})?\W{0,3}"
    r"|(?:schreibe|hinterlasse) einen kommentar\b.{0,40}"
    r"|kommentar (?:schreiben|verfassen|hinterlassen)|laisser un commentaire\b.{0,40}"
    r"|deja (?:un|tu) comentario",
    re.I,
)
# With what they are about, "2 thoughts on “The dam”", unlike a chapter of the text: "5 thoughts on dams".
OF_READERS_ABOUT = regex(
    r"#?\d+ (?:comments?|repl(?:y|ies)|responses?|thoughts?|kommentare?|antwort(?:en)?|commentaires?"
    r"|r[ée]ponses?|comentarios?|respuestas?|commenti)"
    r" (?:to|on|for|zu|auf|sur|à|a|en|su) (?P<about>.{1,250})",
    re.I,
)
# These may be the answers to a question that is all the page has besides.
OF_ANSWERS = regex(
    r"#?\d+ (?:repl(?:y|ies)|responses?|thoughts|antwort(?:en)?|r[ée]ponses?|respuestas?)(?: ?\W{1,3})?"
    r"|(?:post|write|add) a (?:comment|reply)\W{0,3}",
    re.I,
)
QUOTES = "“”\"«»‘’' "
# What a page offers to do, and where it leads from everywhere on its site.
CONTROL = regex(
    r"(?:share|tweet|print|e-?mail|search|sign (?:in|up|out)|log ?(?:in|out)|register|subscribe|home(?:page)?"
    r"|(?:toggle |main )?menu|navigation|contact(?: us)?|about(?: us)?"
    r"|(?:our )?privacy(?: (?:policy|notice|statement))?"
    r"|terms(?: (?:of (?:use|service)|and conditions|& conditions))?|cookies?(?: policy| settings)?"
    r"|advertis(?:ement|ing|e)(?: with us)?|site ?map|rss(?: feeds?)?|newsletters?|follow us(?: on .{2,20})?"
    r"|share (?:this|on) .{2,30}|skip to .{4,25}|back to top|careers|jobs|faqs?|help|feedback|previous|prev"
    r"|next|(?:older|newer|recent) posts|recent comments|comments are closed|search for|archives?"
    r"|more info|cancel|reply|facebook|twitter|instagram|youtube|linked ?in|pinterest|reddit|whats ?app"
    r"|google ?\+|tumblr|xing|startseite|anmelden|abmelden|registrieren|suchen?|kontakt|impressum"
    r"|datenschutz(?:erkl(?:ä|ae)rung)?|agb|drucken|teilen|twittern|merken|weiterleiten|werbung|anzeige"
    r"|(?:ü|ue)ber uns|hilfe|men(?:ü|ue)|nach oben|zum inhalt.{0,20}|presse|antworten|kommentare"
    r"|accueil|connexion|s['’]inscrire|rechercher?|mentions l(?:é|e)gales|partager|imprimer|plan du site"
    r"|(?:à|a) propos.{0,12}|politique de confidentialit(?:é|e)|s['’]abonner|r(?:é|e)pondre|aide|envoyer"
    r"|inicio|buscar|compartir|aviso legal|contacto|iniciar sesi(?:ó|o)n|suscr(?:í|i)bete|enviar)\W{0,3}",
    re.I,
)
# The name of another page, with what leads to it, and of what is sold: "WATCH: Divers at the lock".
LEADS_ON = regex(
    r"(?i:read (?:more|also)|also read|see also|related|watch|lesen sie auch|lire aussi|lee tambi(?:é|e)n)"
    r" ?: .{1,150}|[A-Z][A-Z'’ ]{3,30}: .{1,120}(?<![.!?])"
)
# Who made a picture: "Photo: A. Weir", "A. Weir / Getty Images".
CREDIT = regex(
    r"(?:photo(?:graph)?s?|images?|pictures?|screenshots?|illustrations?|foto|bild|quelle|cr(?:é|e)dits?)"
    r"(?: (?:credit|courtesy|von))?(?: ?:| by| via| of) .{1,80}(?<![.!?])"
    r"|.{2,60} ?/ ?(?:getty images|ap|afp|reuters|dpa|shutterstock|istock|epa)\b.{0,40}|ap photo ?/ ?.{1,60}",
    re.I,
)
