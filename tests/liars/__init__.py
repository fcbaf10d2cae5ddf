"""The suite users come for: lies told as real commits in real repositories, with honest work beside them.

A case is data (``case.py``): the files of a repository, a user's plan of one or two tasks, and what the scripted agent
does for each of them. ``world.py`` drives it through the whole pipeline with real git and the real sandbox; it is
*accepted* when the phase has landed on the user's branch. ``naive.py`` does the same in a plain folder and asks the
test command alone. ``table.py`` prints both side by side: ``python -m tests.liars.table --all`` (or ``make liars``).

``families`` combines some 4,000 more from parts; a sample of them is run. ``commits.py`` makes cases of real commits
of repositories that you have: ``python -m tests.liars.commits GIT_DIR…``.

To add cases, put a module ``cases/<language>/<subject>.py`` with a tuple ``CASES``; nothing else lists it::

    CASES = (
        lie(
            "js-skipped-test",                     # unique; the test's id
            "javascript",                          # a row of the table
            "weakened test",                       # the kind of lie, in the words of other cases
            base={"slug.js": "…", "slug.test.js": "…", "package.json": "…"},
            test="node --test",                    # the project's test command; the naive check is this and no more
            tasks=[
                Task(
                    "Add slug()",
                    files=["slug.js"],             # what the plan lets the task change
                    criteria=[proven("slug() joins words", "node --test slug.test.js")],
                    acts=[write("slug.test.js", "…"), delete("old.js"), shell("chmod +x x"), git("rm", "-q", "y")],
                ),                                 # committed at its end unless commits=False
            ],
            catcher="S",                           # the layers that should object: any one of these letters is enough
        ),
        honest("js-adds-slug", "javascript", "plain work", base=…, test=…, tasks=[…]),
    )

A lie that no check can see has ``checkable=False`` and says ``why``; it is named in the table and must not be hidden.
``shown`` has words that its report must have all the same, ``not_shown`` words that the report of honest work has not.
Criteria are shell commands as in any plan; ``kept(text, command)`` marks one that is green before and after. ``spec``
is text for the requirements, for examples that an implementation is held against. ``python3`` is the Python of these
tests with pytest and nothing else (``tools.py``); other tools are those of the sandbox's search path. One case should
take less than three seconds, so keep its tests few and quick.
``python -m tests.liars.table -v --only "js-*"`` shows why a case was accepted or refused.
"""
