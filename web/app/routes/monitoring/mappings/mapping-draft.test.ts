import { ALDER_MAPPING, NORTHWIND_MAPPING } from '@tapeline/demonstration/facilities.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { readOperand, writeLines, writeOperand } from '@tapeline/domain/tapes/operand-notation.ts';
import { serializationSchema } from '@tapeline/domain/tapes/serialization.schema.ts';
import { newStep, STEP_FORMS, STEP_TYPES } from '@tapeline/domain/tapes/step-fields.ts';
import { suggestMapping } from '@tapeline/domain/tapes/suggest/suggest-mapping.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  draftOfMapping,
  draftOfSuggestions,
  problemsOfDraft,
  problemsOfRule,
  type RawRule,
  suggestionsLeft,
} from './draft.ts';
import { FIX_FIELD, fixEdit } from './draft-check.ts';
import { type EditorState, editDraft, jsonOfDraft, readEditorForm } from './edit-draft.ts';
import { mappingChanges } from './mapping-changes.ts';
import { casesOf, NEW_CASE, readRule, stepFieldName, writeField } from './rule-form.ts';

const opened = (body: unknown, open: number | null = null): EditorState => ({
  draft: draftOfMapping(parseMapping(body)),
  open,
  view: 'rules',
  json: null,
});

/** The form as the screen shows it for a rule: every field of every step, unchanged. */
function formOf(rule: RawRule, index: number): FormData {
  const form = new FormData();
  form.set('ruleShown', String(index));
  form.set('originCol', String(rule.originCol ?? ''));
  for (const check of rule.checks ?? []) form.append('checks', String(check));
  if (rule.remainOriginCol) form.set('remainOriginCol', 'on');
  for (const [at, step] of (rule.serializations ?? []).entries()) {
    for (const field of STEP_FORMS[step.type as keyof typeof STEP_FORMS].fields) {
      const value = step[field.name];
      const name = stepFieldName(at, field.name);
      if (field.kind === 'pair' || field.kind === 'range') {
        const pair = value as unknown[];
        form.set(`${name}.0`, String(pair[0]));
        form.set(`${name}.1`, String(pair[1] ?? ''));
      } else if (field.kind === 'cases') {
        for (const [place, each] of [...casesOf(value), NEW_CASE].entries()) {
          form.set(`${name}.${place}.equals`, writeLines(each.equals));
          form.set(`${name}.${place}.then`, writeOperand(each.then));
        }
      } else form.set(name, writeField(field, value));
    }
  }
  return form;
}

/** The form of a rule whose first step is an if, with the lines of its condition as entered. */
function formOfLines(
  rule: RawRule,
  join: string,
  lines: [column: string, operator: string, value: string][],
): FormData {
  const form = formOf(rule, 0);
  const name = stepFieldName(0, 'filter');
  for (const [at, [column, operator, value]] of [...lines, ['', 'eq', '']].entries()) {
    form.set(`${name}.${at}.join`, join);
    form.set(`${name}.${at}.column`, column!);
    form.set(`${name}.${at}.operator`, operator!);
    form.set(`${name}.${at}.value`, value!);
  }
  return form;
}

describe('the condition of an if step', () => {
  // biome-ignore lint/suspicious/noThenProperty: `then` is a key of the contract; a step is never awaited
  const rule = (filter: unknown): RawRule => ({ serializations: [{ type: 'ifStatement', filter, then: 1 }] });
  const filterOf = (read: RawRule) => read.serializations?.[0]?.filter;

  it('is read from its lines', () => {
    const before = rule({ Status: 'Late' });
    const changed = formOfLines(before, 'or', [
      ['Status', 'eq', 'Late'],
      ['Balance', 'gt', '100'],
      ['', 'gt', ' '],
    ]);
    expect(filterOf(readRule(changed, before))).toEqual({ $or: [{ Status: 'Late' }, { Balance: { gt: 100 } }] });
    expect(filterOf(readRule(formOfLines(before, 'and', []), before))).toEqual({});
    const fresh = rule(undefined);
    expect(filterOf(readRule(formOfLines(fresh, 'and', []), fresh))).toBeUndefined();
    expect(filterOf(readRule(formOfLines(fresh, 'and', [['Zip', 'eq', '"01234"']]), fresh))).toEqual({ Zip: '01234' });
  });

  it('is read from its lines again and again while the JSON beside them stands as it was drawn', () => {
    const drawn = rule({ Status: 'Late' });
    const fields: [string, string, string][] = [['Status', 'eq', 'Late']];
    const once = formOfLines(drawn, 'and', [...fields, ['Balance', 'gt', '1']]);
    once.set(`${stepFieldName(0, 'filter')}.drawn`, '{"Status":"Late"}');
    const state = readRule(once, drawn);
    once.set(`${stepFieldName(0, 'filter')}.1.value`, '12');
    expect(filterOf(readRule(once, state))).toEqual({ Status: 'Late', Balance: { gt: 12 } });
  });

  it('stays to the letter where no line was touched, and changed JSON goes before the lines', () => {
    for (const filter of [{ Balance: { $gt: 5 } }, '{"Balance":{"gt":5}}', { $and: [{ Balance: { gt: 5 } }] }]) {
      const before = rule(filter);
      const untouched = formOfLines(before, 'and', [['Balance', 'gt', '5']]);
      expect(filterOf(readRule(untouched, before))).toEqual(filter);
      untouched.set(stepFieldName(0, 'filter'), '{"$not": {"Balance": 1}}');
      expect(filterOf(readRule(untouched, before))).toEqual({ $not: { Balance: 1 } });
      untouched.set(stepFieldName(0, 'filter'), '{"$not": ');
      expect(filterOf(readRule(untouched, before))).toBe('{"$not": ');
    }
  });
});

describe('the forms of steps', () => {
  it('offer every kind of step with every option of its schema', () => {
    const options = serializationSchema.options.map(({ shape }) => ({
      type: shape.type.value as keyof typeof STEP_FORMS,
      names: Object.keys(shape).filter((key) => key !== 'type'),
    }));
    expect(new Set(STEP_TYPES)).toEqual(new Set(options.map(({ type }) => type)));
    for (const { type, names } of options)
      expect(STEP_FORMS[type].fields.map((field) => field.name).sort(), type).toEqual(names.sort());
  });

  it('leave the demonstration mappings to the letter as they were when nothing is touched', () => {
    for (const body of [NORTHWIND_MAPPING, ALDER_MAPPING]) {
      const { draft } = opened(body);
      for (const [index, { rule }] of draft.rules.entries()) {
        const read = readRule(formOf(rule, index), rule);
        expect(read.serializations).toEqual(rule.serializations);
        expect(read.checks).toEqual(rule.checks);
      }
    }
  });

  it('add a step whose choices are of the schema', () => {
    for (const type of ['date', 'distance', 'weight', 'SerializedTerm', 'number', 'datesDiff'] as const)
      expect(serializationSchema.safeParse(newStep(type)).success, type).toBe(true);
  });
});

describe('values in the forms', () => {
  const literal = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom('12', '-3.5', 'true', '(missing)', '(as it is)', '"quoted"', '{x}', ' spaced ', 'two\nlines', ''),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.record({ column: fc.stringMatching(/^[A-Za-z_ }{]{1,12}$/) }),
    fc.constant({ previous: true as const }),
  );
  it('read back as what they are', () => {
    fc.assert(
      fc.property(literal, (value) => {
        expect(readOperand(writeOperand(value))).toEqual(value);
      }),
    );
  });
});

describe('the draft', () => {
  it('shows a problem at the rule and the step it belongs to', () => {
    const state = opened(NORTHWIND_MAPPING, 1);
    const form = new FormData();
    form.set('newStep', 'slice');
    const broken = editDraft(state, 'step-add', form);
    const problems = problemsOfRule(problemsOfDraft(broken.draft), 1);
    const index = (broken.draft.rules[1]?.rule.serializations?.length ?? 0) - 1;
    expect(problems[0]?.path.slice(0, 4)).toEqual(['rules', 1, 'serializations', index]);
    expect(problemsOfRule(problemsOfDraft(broken.draft), 0)).toEqual([]);
  });

  it('counts a suggestion as accepted once its person changed it, and not for being looked at', () => {
    const cells = ['L1', 'L2', 'L3'].map((value) => ({ tag: 2, value }));
    const suggested = suggestMapping({ columns: [{ header: 'Loan id', cells }] }).slice(0, 1);
    const draft = draftOfSuggestions(suggested, { sheetName: 'Loans', headers: ['Loan id'], primaryCurrency: 'USD' });
    const state: EditorState = { draft, open: 0, view: 'rules', json: null };
    const untouched = formOf(draft.rules[0]?.rule ?? {}, 0);
    expect(suggestionsLeft(readEditorForm(state, untouched).draft)).toBe(1);
    untouched.set('remainOriginCol', 'on');
    expect(suggestionsLeft(readEditorForm(state, untouched).draft)).toBe(0);
    expect(suggestionsLeft(editDraft(state, 'accept-all', new FormData()).draft)).toBe(0);
    expect(editDraft(state, 'drop:0', new FormData())).toMatchObject({ open: null, draft: { rules: [] } });
  });

  it('leaves doubtful suggestions out, shows them beside the rules, and adds one with its parts where it is used', () => {
    const cells = (value: (row: number) => string, tag = 2) =>
      Array.from({ length: 30 }, (_, row) => ({ tag, value: value(row) }));
    const suggestions = suggestMapping({
      columns: [
        { header: 'Loan id', cells: cells((row) => `L${row}`) },
        { header: 'Original amount', cells: cells((row) => String(1_000 + row), 1) },
        { header: 'Current balance', cells: cells((row) => String(9_000 + row), 1) },
      ],
    }).map((each) => (each.rule.targetCol === 'assetId' ? { ...each, isOn: false } : each));
    const draft = draftOfSuggestions(
      [
        ...suggestions,
        {
          rule: { originCol: 'Date', targetCol: 'Date day', checks: ['Temporary'], serializations: [{ type: 'text' }] },
          confidence: 0.4,
          reason: 'a part',
          isOn: false,
        },
        {
          rule: { originCol: 'Date', targetCol: 'dateFinanced', serializations: [{ type: 'date', format: 'ISO' }] },
          confidence: 0.4,
          reason: 'a date',
          isOn: false,
        },
      ],
      { sheetName: 'Loans', headers: [], primaryCurrency: 'USD' },
    );
    const targets = (rules: readonly { rule: RawRule }[]) => rules.map(({ rule }) => rule.targetCol);
    expect(targets(draft.rules)).toEqual(['sums.sum', 'assetType']);
    expect(draft.doubtful?.map(({ rules }) => rules.map(({ targetCol }) => targetCol))).toEqual([
      ['assetId'],
      ['sums.outstandingSum'],
      ['Date day', 'dateFinanced'],
    ]);
    const used = editDraft({ draft, open: null, view: 'rules', json: null }, 'use:2', new FormData());
    expect(targets(used.draft.rules)).toEqual(['sums.sum', 'assetType', 'Date day', 'dateFinanced']);
    expect(used.draft.doubtful).toHaveLength(2);
    expect(used.open).toBe(3);
    expect(suggestionsLeft(used.draft)).toBe(2);
    expect(editDraft(used, 'use:7', new FormData())).toBe(used);
  });

  it('follows the open rule as rules move, and never moves one over the edge', () => {
    const state = opened(NORTHWIND_MAPPING, 2);
    const first = state.draft.rules[2]?.rule;
    const moved = editDraft(state, 'up:2', new FormData());
    expect(moved.open).toBe(1);
    expect(moved.draft.rules[1]?.rule).toEqual(first);
    expect(editDraft(state, 'up:0', new FormData())).toBe(state);
    expect(editDraft(moved, 'down:1', new FormData()).draft).toEqual(state.draft);
  });

  it('keeps what was entered as JSON and says what is wrong with it', () => {
    const state = opened(NORTHWIND_MAPPING);
    const form = new FormData();
    form.set('json', '[{');
    expect(editDraft(state, 'json', form).json).toMatchObject({
      text: '[{',
      problem: expect.stringContaining('Invalid JSON'),
    });
    form.set('json', jsonOfDraft(state.draft));
    expect(editDraft(state, 'json', form).draft).toEqual(state.draft);
  });
});

describe('a version told in words', () => {
  it('names rules added, removed and changed', () => {
    const before = parseMapping(NORTHWIND_MAPPING);
    const rules = draftOfMapping(before).rules.map(({ rule }) => rule);
    const [first, second, ...rest] = rules;
    const after = {
      ...before,
      rules: [
        { ...first, remainOriginCol: !first?.remainOriginCol },
        ...rest,
        { originCol: 'Branch', targetCol: 'branch', serializations: [{ type: 'text' }] },
      ],
    };
    const changes = mappingChanges({ ...before, rules }, after);
    expect(changes.map(({ kind }) => kind)).toEqual(['removed', 'changed', 'added']);
    expect(changes[0]?.text).toContain(`"${String(second?.originCol)}"`);
    expect(changes[2]?.text).toBe('"Branch" to branch: text');
    expect(mappingChanges({ ...before, rules }, { ...before, rules })).toEqual([]);
  });
});

describe('the correction of a group', () => {
  const DRAFT = {
    loanTapeSheetName: 'Loans',
    primaryCurrency: 'USD',
    rules: [
      { originCol: 'Id', targetCol: 'assetId', checks: ['Mandatory'], serializations: [{ type: 'text' }] },
      { originCol: 'Days', targetCol: 'daysPastDue', serializations: [{ type: 'number' }] },
      { originCol: 'State', targetCol: 'assetStatus', serializations: [{ type: 'assetStatus' }] },
    ],
  };
  const rulesAfter = (state: EditorState) => state.draft.rules.map(({ rule }) => rule);
  const none = new FormData();

  it('leaves a value out before any other step, once and with others', () => {
    const once = editDraft(opened(DRAFT), fixEdit(1, { kind: 'omit', value: 'in delay' }), none);
    const twice = editDraft(once, fixEdit(1, { kind: 'omit', value: '"new" }' }), none);
    expect(rulesAfter(twice)[1]?.serializations).toEqual([
      { type: 'omit', values: ['in delay', '"new" }'] },
      { type: 'number', unit: 'scalar' },
    ]);
    expect(problemsOfDraft(twice.draft)).toEqual([]);
    expect(rulesAfter(twice)[0]).toEqual(rulesAfter(opened(DRAFT))[0]);
  });

  it('leaves a field empty where its cells cannot be read', () => {
    const after = editDraft(opened(DRAFT), fixEdit(1, { kind: 'leaveEmpty', value: null }), none);
    expect(rulesAfter(after)[1]).toMatchObject({ onUnreadable: 'empty', serializations: [{ type: 'number' }] });
  });

  it('adds a case for the status that was chosen, and nothing if none was', () => {
    const form = new FormData();
    form.set(`${FIX_FIELD}0`, 'delinquent');
    const edit = fixEdit(2, { kind: 'status', value: 'in delay' }, `${FIX_FIELD}0`);
    const after = editDraft(opened(DRAFT), edit, form);
    expect(rulesAfter(after)[2]?.serializations).toEqual([
      {
        type: 'switchCase',
        // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract
        cases: [{ equals: 'in delay', then: 'delinquent' }],
        default: { previous: true },
      },
      { type: 'assetStatus' },
    ]);
    expect(problemsOfDraft(after.draft)).toEqual([]);
    expect(editDraft(opened(DRAFT), edit, none).draft).toEqual(opened(DRAFT).draft);
  });

  it.each(['fix:', 'fix:{}', 'fix:{"rule":9,"kind":"omit","value":"x"}', 'fix:{"rule":0,"kind":"other","value":"x"}'])(
    'changes nothing for %s',
    (edit) => expect(editDraft(opened(DRAFT), edit, none).draft).toEqual(opened(DRAFT).draft),
  );
});
