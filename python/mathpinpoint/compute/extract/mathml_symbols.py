"""Tables of the MathML converter: symbols, functions, accents, fences, letter variants."""

SYMBOLS = {
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ϵ": r"\epsilon",
    "ε": r"\varepsilon", "ζ": r"\zeta", "η": r"\eta", "θ": r"\theta", "ϑ": r"\vartheta",
    "ι": r"\iota", "κ": r"\kappa", "λ": r"\lambda", "μ": r"\mu", "µ": r"\mu", "ν": r"\nu",
    "ξ": r"\xi", "π": r"\pi", "ϖ": r"\varpi", "ρ": r"\rho", "ϱ": r"\varrho", "σ": r"\sigma",
    "ς": r"\varsigma", "τ": r"\tau", "υ": r"\upsilon", "ϕ": r"\phi", "φ": r"\varphi",
    "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega", "Γ": r"\Gamma", "Δ": r"\Delta", "Θ": r"\Theta",
    "Λ": r"\Lambda", "Ξ": r"\Xi", "Π": r"\Pi", "Σ": r"\Sigma", "Υ": r"\Upsilon", "Φ": r"\Phi",
    "Ψ": r"\Psi", "Ω": r"\Omega", "ϰ": r"\varkappa", "ℓ": r"\ell", "ℏ": r"\hbar", "ℜ": r"\Re",
    "ℑ": r"\Im", "℘": r"\wp", "ℵ": r"\aleph", "∂": r"\partial", "∇": r"\nabla", "∞": r"\infty",
    "∅": r"\emptyset", "⌀": r"\varnothing", "ı": r"\imath", "ȷ": r"\jmath", "′": "'", "″": "''",
    "‴": "'''", "°": r"^{\circ}", "∠": r"\angle", "∡": r"\measuredangle", "△": r"\triangle",
    "▵": r"\triangle", "□": r"\square", "◻": r"\square", "■": r"\blacksquare", "⊤": r"\top",
    "−": "-", "±": r"\pm", "∓": r"\mp", "×": r"\times", "÷": r"\div", "⋅": r"\cdot",
    "·": r"\cdot", "∗": "*", "⋆": r"\star", "∘": r"\circ", "•": r"\bullet", "⊕": r"\oplus",
    "⊖": r"\ominus", "⊗": r"\otimes", "⊙": r"\odot", "†": r"\dagger", "‡": r"\ddagger",
    "≤": r"\le", "≥": r"\ge", "⩽": r"\leqslant", "⩾": r"\geqslant", "≠": r"\ne", "≈": r"\approx",
    "≡": r"\equiv", "≅": r"\cong", "∼": r"\sim", "≃": r"\simeq", "∝": r"\propto", "≪": r"\ll",
    "≫": r"\gg", "≺": r"\prec", "≻": r"\succ", "⪯": r"\preceq", "⪰": r"\succeq", "≔": ":=",
    "∈": r"\in", "∉": r"\notin", "∋": r"\ni", "⊂": r"\subset", "⊃": r"\supset",
    "⊆": r"\subseteq", "⊇": r"\supseteq", "⊄": r"\not\subset", "⊊": r"\subsetneq",
    "∪": r"\cup", "∩": r"\cap", "∖": r"\setminus", "⊎": r"\uplus", "⊔": r"\sqcup",
    "∧": r"\wedge", "∨": r"\vee", "¬": r"\neg", "∀": r"\forall", "∃": r"\exists",
    "∄": r"\nexists", "⊢": r"\vdash", "⊨": r"\models", "⊥": r"\perp", "∥": r"\parallel",
    "∣": r"\mid", "∤": r"\nmid", "∴": r"\therefore", "∵": r"\because",
    "→": r"\to", "←": r"\leftarrow", "↔": r"\leftrightarrow", "⇒": r"\Rightarrow",
    "⇐": r"\Leftarrow", "⇔": r"\Leftrightarrow", "⟹": r"\implies", "⟸": r"\impliedby",
    "⟺": r"\iff", "↦": r"\mapsto", "⟶": r"\longrightarrow", "⟵": r"\longleftarrow",
    "↑": r"\uparrow", "↓": r"\downarrow", "↪": r"\hookrightarrow", "↠": r"\twoheadrightarrow",
    "⇀": r"\rightharpoonup", "⇌": r"\rightleftharpoons", "↗": r"\nearrow", "↘": r"\searrow",
    "∑": r"\sum", "∏": r"\prod", "∐": r"\coprod", "∫": r"\int", "∬": r"\iint", "∭": r"\iiint",
    "∮": r"\oint", "⋃": r"\bigcup", "⋂": r"\bigcap", "⋁": r"\bigvee", "⋀": r"\bigwedge",
    "⨁": r"\bigoplus", "⨂": r"\bigotimes", "…": r"\ldots", "⋯": r"\cdots", "⋮": r"\vdots",
    "⋱": r"\ddots", "⟨": r"\langle", "⟩": r"\rangle", "〈": r"\langle", "〉": r"\rangle",
    "⌊": r"\lfloor", "⌋": r"\rfloor", "⌈": r"\lceil", "⌉": r"\rceil", "‖": r"\|", "√": r"\surd",
    "{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$", "_": r"\_",
    "\\": r"\backslash", "\u00a0": r"\ ", "⊲": r"\triangleleft", "⊳": r"\triangleright",
    "~": r"\sim", "^": r"\wedge",
    "⋉": r"\ltimes", "⋊": r"\rtimes", "≜": r"\triangleq", "≐": r"\doteq", "≲": r"\lesssim",
    "≳": r"\gtrsim", "⊕\ufe0e": r"\oplus", "ð": r"\eth", "∁": r"\complement", "⊻": r"\veebar",
}
INVISIBLE = dict.fromkeys(map(ord, "\u2061\u2062\u2063\u2064\u200b\u200c\u200d\ufeff\ufe0e\ufe0f"))
FUNCTIONS = frozenset(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim limsup"
    " liminf max min sup inf det dim ker deg gcd arg hom Pr".split()
)
LIMITS = frozenset(
    r"\sum \prod \coprod \int \iint \iiint \oint \bigcup \bigcap \bigvee \bigwedge \bigoplus"
    r" \bigotimes \lim \limsup \liminf \max \min \sup \inf \det \gcd \Pr".split()
)
ABOVE = {
    "^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde", "∼": "tilde", "¯": "overline",
    "‾": "overline", "―": "overline", "ˉ": "bar", "→": "vec", "⃗": "vec", "˙": "dot", ".": "dot",
    "¨": "ddot", "..": "ddot", "⏞": "overbrace", "︷": "overbrace", "ˇ": "check", "˘": "breve",
    "´": "acute", "`": "grave", "←": "overleftarrow", "⏜": "overparen", "⌢": "overparen",
    "_": "overline", "↔": "overleftrightarrow", "˚": "mathring", "-": "overline", "−": "overline",
}
BELOW = {"_": "underline", "¯": "underline", "‾": "underline", "⏟": "underbrace",
         "︸": "underbrace", "̲": "underline", "―": "underline", "-": "underline"}
WIDE = {"hat": "widehat", "tilde": "widetilde", "vec": "overrightarrow", "bar": "overline"}
VARIANTS = {
    "normal": "mathrm", "bold": "mathbf", "bold-italic": "boldsymbol", "double-struck": "mathbb",
    "script": "mathcal", "bold-script": "mathcal", "fraktur": "mathfrak",
    "bold-fraktur": "mathfrak", "sans-serif": "mathsf", "bold-sans-serif": "mathsf",
    "sans-serif-italic": "mathsf", "monospace": "mathtt",
}
TEXT_FONTS = {"italic": "textit", "bold": "textbf", "monospace": "texttt", "sans-serif": "textsf"}
# The order matters: the first phrase found in a character's Unicode name wins.
NAMED_VARIANTS = (
    ("DOUBLE-STRUCK", "mathbb"), ("SCRIPT", "mathcal"), ("FRAKTUR", "mathfrak"),
    ("BLACK-LETTER", "mathfrak"), ("SANS-SERIF", "mathsf"), ("MONOSPACE", "mathtt"),
    ("BOLD ITALIC", "boldsymbol"), ("BOLD", "mathbf"), ("ITALIC", None),
)
ARROWS = {"→": "xrightarrow", "←": "xleftarrow", "⇒": "xRightarrow", "⇐": "xLeftarrow"}
# Spaces as characters (KaTeX) and as widths (em, or a name); a space of no named width is none.
SPACE_TEXTS = {
    "\u2009": r"\,", "\u2005\u200a": r"\;", "\u2005": r"\:", "\u2009\u2063": r"\!", "\u200a": "",
    "\u200a\u2063": "", "\u205f\u2063": r"\!", "\u2005\u2063": r"\!",
}
SPACE_NAMES = {
    "negativeverythinmathspace": r"\!", "negativethinmathspace": r"\!", "negativemediummathspace": r"\!",
    "negativethickmathspace": r"\!", "thinmathspace": r"\,", "mediummathspace": r"\:", "thickmathspace": r"\;",
}
MATRICES = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix",
            ("∣", "∣"): "vmatrix", ("‖", "‖"): "Vmatrix", ("{", "}"): "Bmatrix",
            ("∥", "∥"): "Vmatrix"}
OPENING = frozenset("([{⟨⌊⌈〈")
CLOSING = frozenset(")]}⟩⌋⌉〉")
ENCLOSURES = {"box": "boxed", "top": "overline", "bottom": "underline", "roundedbox": "boxed",
              "updiagonalstrike": "cancel", "downdiagonalstrike": "bcancel", "circle": "boxed",
              "actuarial": "overline", "radical": "sqrt", "horizontalstrike": "cancel"}
