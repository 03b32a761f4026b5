# Inside the Transformer: `make book` builds the site, `make test` checks everything.

PYTHON ?= python3
# threads that wait leave the cores to others
export OMP_WAIT_POLICY := passive
ifeq ($(OS),Windows_NT)
PY := .venv/Scripts/python.exe
else
PY := .venv/bin/python
endif
RUN := $(PY) -m labutils.authoring
TEST := $(PY) -m pytest -q -n 2 --dist loadfile
STORED := --nbval --nbval-sanitize-with tests/notebooks/sanitize.cfg

.PHONY: book pdf single serve lab reset test unit notebooks site lab-tests browsers ready checkpoints compat bench pins refresh check new-chapter new-control assignments grade clean

book: ready        ## execute every chapter and build the site into _build/html
	$(RUN).book

pdf: ready         ## the book as one PDF, printed by Chromium into _build/
	$(RUN).pdf

single: ready      ## the whole GPT-2 and the whole BERT, one file each that needs PyTorch alone, into _build/single
	$(RUN).single

serve: ready       ## serve the built site on a free port
	$(RUN).serve

lab: ready         ## open JupyterLab on your own copy of the chapters, in work/
	$(RUN).lab $(if $(ALLOW_ROOT),--allow-root)

reset: ready       ## make reset CHAPTER=04: put one chapter of work/ back as it was
	$(RUN).lab --reset "$(CHAPTER)"

test: ready        ## everything, in one run, two tests at a time; make test CHAPTER=07: what that chapter adds or touches
	$(TEST) $(STORED) $(if $(CHAPTER),--chapter $(CHAPTER) )tests src/labutils notebooks

unit: ready        ## unit, property, doctest and parity tests
	$(TEST) --ignore tests/site --ignore tests/lab

notebooks: ready   ## every notebook, every stored output compared
	$(TEST) $(STORED) notebooks

site: ready        ## the built site and JupyterLab in a real browser
	$(TEST) tests/site tests/lab

lab-tests: ready   ## every chapter in JupyterLab; the other tests run one, which the files of the book choose
	LAB_CHAPTERS=all $(TEST) tests/lab

ready:             ## .venv as requirements.txt says; nothing to do if it is
	@$(PYTHON) src/labutils/authoring/environment.py

checkpoints: ready ## train the shipped models again
	$(PY) -m labutils.making.make all

browsers: ready    ## every control in Firefox and WebKit says what it says in Chromium
	BROWSERS=all $(PY) -m pytest -q tests/browsers

compat: ready      ## parity on the oldest and the newest transformers; text, layers and models on every Python here
	sh tests/compat.sh

bench: ready       ## speed, as ratios measured in one run, into benchmarks/
	$(PY) -m tests.benchmarks.tokenizers
	$(PY) -m tests.benchmarks.controls
	$(PY) -m tests.benchmarks.lines
	$(PY) -m tests.benchmarks.decoding
	$(PY) -m tests.benchmarks.own_file
	$(PY) -m tests.benchmarks.course
	$(PY) -m tests.benchmarks.cache
	$(PY) -m tests.benchmarks.training

refresh: ready     ## run the chapters and store the outputs worth reviewing
	$(RUN).refresh

pins: ready        ## raise every pin in requirements.txt and constraints.txt to the newest that fits
	$(RUN).pins

check: ready       ## what must hold for every chapter and page, one sentence for each finding
	$(RUN).check

new-chapter: ready ## make new-chapter NUMBER=11 NAME=kv_cache: start a chapter from the pattern; MORE=yes: a second notebook
	$(RUN).new_chapter "$(NUMBER)" "$(NAME)" $(if $(MORE),--more)

new-control: ready ## make new-control NAME=two_words: start a control from the pattern, with its test
	$(RUN).new_control "$(NAME)"

assignments: ready ## exercises for a course: student release and self-study version, in course/
	$(RUN).assignments

grade: ready       ## what students handed in, into course/grades.csv and course/feedback
	$(RUN).grading $(ASSIGNMENT) $(if $(ALLOW_ROOT),--allow-root)

clean:             ## everything the commands above made, but not .venv, work/ and course/
	rm -rf _build book/generated .pytest_cache .hypothesis
