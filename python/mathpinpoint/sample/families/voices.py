"""How authors speak: openings, asides, endings, comments, remarks; the order and layout of an argument."""

from random import Random

from mathpinpoint.sample.families.base import Values, say

OPENINGS = """
[[Here is how I would do it|This is my way of doing it]], [[by|via|using]] <method>.
[[Let me|I will|I'd like to]] [[present|show|write down]] a [[solution|derivation]] [[by|based on]] <method>.
[[The key here is|What helps here is|The tool of choice is]] <method>.
[[We use|One can use|Let us use]] <method>; [[the details follow|everything is spelled out below]].
[[Solution|Worked solution|Our solution]] ([[by|with]] <method>).
[[There is more than one road to the goal|Several roads lead to the goal]]; [[mine is|I take]] <method>.
[[My teacher showed us|In class we learned|A friend once showed me]] [[this approach|the following idea]]: <method>.
[[Try|Have you tried|You may want to try]] <method>. [[It goes as follows|In detail]]:
[[Exercises on <topic> look harder than they are|With <topic> one only has to stay calm]]; [[here|in this case]] <method> does the job.
[[Do not be afraid of the numbers|The numbers look unfriendly, but they are not]]. [[Use|I use]] <method>.
[[I solved this on the train this morning|I did this on the back of an envelope]], [[by|with]] <method>.
[[Hint first, then the full thing|First the idea, then the details]]: <method>.
"""
GIVEN = """
[[We are given|Given|What we know]]: <conditions>. [[Wanted|We look for|To find]]: <target>.
[[To fix the task|Let me restate the task]]: <conditions>, [[and we want|and what is asked is]] <target>.
[[The data are|Our data]]: <conditions>; [[the goal is|the question is about]] <target>.
[[First the facts|Let us collect the facts]]. [[It is known that we have|We have]] <conditions>. [[The unknown is|We seek]] <target>.
[[Remember what is asked|Keep in mind what is asked]]: <target>, [[where|under the condition]] <conditions>.
"""
ASIDES = """
[[Some people prefer|Others like]] a picture here, [[but the symbols are clear enough|though I find words clearer]].
[[I always double check this point|This is where most slips happen]], [[since a sign is lost quickly|because one tends to hurry]].
[[Nothing deep is going on|It is all elementary]], [[just patience|only some care is needed]].
[[If you get stuck, write out a smaller example|A smaller example helps if this looks strange]].
[[Coffee helps|A second cup of tea helps]] [[at this stage|with the next line]].
[[A calculator is allowed but not needed|You can put the calculator away]].
[[Keep the intermediate results|Do not round anything yet]], [[they are needed in a moment|we use them at the end]].
[[My old textbook does this in one line|Textbooks tend to skip this]], [[which I never found fair|and readers are left alone]].
[[The rest is bookkeeping|What remains is arithmetic]].
[[I like this step best|This is the nice part]], [[as everything falls into place|since the pieces fit together]].
[[Please tell me if something is unclear|Ask if a step is too fast]].
[[In the exam you would get most of the marks for this|This alone is worth most of the points]].
[[One could also start from the other end|It works in the other order as well]].
[[There is no trick in it|No magic so far]], [[only the definition|just what the words mean]].
[[Slow readers win|Take your time with this line]].
[[I first did this wrong myself|The first time I made a slip here]], [[so watch out|hence the warning]].
[[Compare this with what you did last week|You have seen the like before]].
[[It pays to write neatly|Neat writing pays off]], [[believe me|as always]].
[[The idea is centuries old|This idea is much older than our notation]].
[[On paper this takes two minutes|With pen and paper it is a matter of minutes]].
[[My students often ask why|People ask me why this is allowed]]; [[it is because both sides stay equal|the reason is that nothing was lost]].
[[Let us pause for a second|A short pause]], [[and look at what we have|to see where we are]].
"""
LINKS = """
[[Now comes the main step|The main step comes now]].
[[Next|Next step]]:
[[We go on|Let us go on]].
[[So far so good|Good]].
[[Then|After that]]:
[[Here is the point|Now look closely]].
[[The next line is the heart of it|This is the heart of the matter]].
[[Continue|Moving on]]:
[[With this in hand|Using what we have]]:
"""
ENDINGS = """
[[Answer|Final answer|Result]]: <answer>.
[[So <target> comes out as|Hence for <target> we have]] <answer>.
[[That settles the question|This answers the question]]: <answer>.
[[To sum up|In short|All in all]], [[the answer is|we found]] <answer>.
[[Thus|So]] [[the solution to the exercise|what was asked]] is <answer>, [[as promised|which we wanted to know]].
[[The value asked for is|The wanted value is]] <answer>.
[[I get|My result is]] <answer>; [[please compare|hope this helps]].
"""
COMMENTS = """
[[Thanks a lot|Thank you so much|Many thanks]], [[that was quick|this is very clear|now I see it]]!
[[Nice|Very nice|Beautiful]] [[explanation|answer|write-up]], [[I voted for it|plus one from me]].
[[Could you say a bit more about the second step|I had to read the middle part twice]], [[but then it was clear|it is rather dense]].
[[I got the same result|Same result here]], [[though my way was longer|with much more work]].
[[This was on our homework sheet last year|We had this one in the exam last summer]].
[[Is there a book where I can read more about <topic>|Where can I find more on <topic>]]?
[[My daughter had this at school|This came up in my evening class]], [[and nobody could explain it like this|so I am glad to find it]].
[[A small remark|Only a remark]]: [[one could draw a sketch first|the notation is a matter of taste]].
[[Welcome to the site|Welcome]]! [[Please show what you tried|Next time tell us what you have tried]].
"""
REMARKS = """
[[A general remark on <topic>|Some words on <topic> in general]]. [[One should always|It is wise to]] begin by writing down what is given and what is wanted, [[in separate lines|each in its own line]], and only then choose a method; [[many errors come from starting to compute at once|those who compute at once often answer another question]].
[[Another remark|Something else]]: [[the method does not depend on the particular numbers|other numbers would change nothing in the argument]]. [[What it needs|What is needed]] is the structure of the conditions, [[and this is why|so]] it is worth remembering [[as a pattern|the pattern rather than the result]].
[[Where does one meet this|Why is it useful]]? [[Questions on <topic>|Tasks from <topic>]] appear in [[physics|economics|computer science]], [[where the quantities have units|mostly in disguise]], and [[the units are a good check|a check by units costs nothing]]: [[if they do not fit, something went wrong|they have to agree on both sides]].
[[On checking|How to check]]: [[put the result back into the conditions|insert the result into the original conditions]], [[estimate its size|compare with a rough estimate]], and [[ask whether the sign is plausible|see whether it has the right sign]]. [[Doing all three|These three habits]] [[takes less than a minute|is quick]] and [[finds most slips|uncovers nearly every slip]].
[[On the history of <topic>|A bit of history]]: [[merchants and surveyors|clerks and builders]] [[knew recipes for such tasks|solved such tasks by recipe]] long before [[anyone proved them|there were proofs]]; [[the symbols that we use are much younger|our symbols came many centuries later]], and [[they made|their arrival made]] [[the recipes short|general statements possible]].
[[Typical mistakes|Frequent errors]] [[with|in]] <topic> are [[a lost sign|a sign that goes missing]], [[a condition that is read too quickly|a condition that was overlooked]], and [[an answer to a question that nobody asked|the answer to a neighbouring question]]; [[reading the task again at the end|a second look at the task]] [[protects against all three|is the best protection]].
[[How should one practise|A word on practice]]? [[Take the same task|Repeat the same task]] with other numbers, [[then with another unknown|then ask for another quantity]], and [[finally invent a story around it|in the end make up your own]]. [[After five of them|After a handful]] [[the method is yours|you will not forget it]].
"""
STORIES = """
[[Teachers|Lecturers]] have [[long debated|argued for decades about]] how much of <topic> [[belongs in school|a pupil should see]]. [[Some|Many]] want [[drill|more practice]], [[others|some]] want [[ideas first|proofs first]].
[[The library of our town|The old library]] [[keeps|owns]] a [[worn copy|shelf]] of [[exercise books|lecture notes]] on <topic>, [[full of notes in the margin|with pencil marks on each page]]; [[leafing through them|reading them]] [[one meets generations of students|is like listening to old students]].
[[In this series|In these posts]] we [[visit|look at]] a [[part|corner]] of mathematics [[each month|every week]]; [[this time|today]] [[it is the turn of|we stop at]] <topic>, [[a subject with more friends than it admits|which is livelier than its reputation]].
[[A letter from a reader|One of our readers]] [[tells|reports]] that <topic> [[helped at work|was useful in the workshop]], [[of all places|to the surprise of the colleagues]]. [[We are glad to hear it|Such letters make our day]].
[[What makes a good exercise|A good exercise]] [[in|about]] <topic> is [[hard to say|a matter of taste]]: [[it should be short|short it should be]], [[open a door|lead somewhere]] and [[leave a question|not say everything]].
[[Our summer school|The summer school]] [[offers|will offer]] a [[course|workshop]] on <topic>, [[with walks in the afternoon|and music in the evening]]; [[places are few|please register early]].
[[The word itself|The name]] <topic> [[sounds dry|promises little]], [[but the stories behind it are not|yet behind it are people]], [[letters|quarrels]], [[a lost manuscript|prizes]] and [[many late evenings|much patience]].
"""


def bank(text: str) -> tuple[str, ...]:
    """The templates of a bank, one a line."""
    return tuple(line for line in text.splitlines() if line)


def pick(text: str, count: int, values: Values, rng: Random) -> list[str]:
    """Some different sentences of a bank."""
    lines = bank(text)
    return [say(line, values, rng) for line in rng.sample(lines, min(count, len(lines)))]


def argue(steps: tuple[str, ...], values: Values, rng: Random) -> list[str]:
    """An argument as paragraphs, in one of several layouts, with links and asides of the author."""
    lines = [say(step, values, rng) for step in steps]
    layout = rng.choice(("flow", "flow", "steps", "numbers", "lines"))
    if layout == "steps":
        return [f"Step {number}. {line}" for number, line in enumerate(lines, 1)]
    if layout == "numbers":
        return [" ".join(f"({number}) {line}" for number, line in enumerate(lines, 1))]
    if layout == "lines":
        return lines
    asides = pick(ASIDES, rng.randint(1, 3), values, rng)
    parts = [lines[0]]
    for line in lines[1:]:
        if rng.random() < 0.3:
            parts.append(say(rng.choice(bank(LINKS)), values, rng))
        parts.append(line)
        if asides and rng.random() < 0.4:
            parts.append(asides.pop())
    cut = rng.randint(min(2, len(parts)), len(parts))
    return [" ".join(part) for part in (parts[:cut], parts[cut:]) if part]
