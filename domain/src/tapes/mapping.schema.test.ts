import { describe, expect, test } from 'vitest';
import { isRefusal } from '../errors/refusal.ts';
import { checkHeaders } from './headers.ts';
import { type MappingInput, parseMapping } from './mapping.schema.ts';
import { type MappingPlan, planMapping } from './mapping-plan.ts';
import { type RuleInput, rulesSchema } from './rule.schema.ts';
import { assetCatalog, resolveTarget } from './target-schema.ts';

const ID: RuleInput = {
  originCol: 'id',
  targetCol: 'assetId',
  checks: ['Mandatory'],
  serializations: [{ type: 'text' }],
};
const mapping = (rules: RuleInput[]): MappingInput => ({
  rules,
  loanTapeSheetName: 'Loans',
  primaryCurrency: 'USD',
});

/** The flags of a refusal: path to reason. */
function flagsOf(input: unknown): Record<string, string> {
  try {
    parseMapping(input);
    return {};
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.flags ?? {};
  }
}
const messagesOf = (input: unknown): string => Object.values(flagsOf(input)).join('\n');
const rule = (targetCol: string, ...serializations: RuleInput['serializations']): RuleInput => ({
  originCol: 'x',
  targetCol,
  serializations,
});

describe('a custom field', () => {
  test.each<[string, RuleInput['serializations'], string, string[]]>([
    ['percentage', [{ type: 'percentage' }], 'percentage', ['DECIMAL(18,8)']],
    ['interest', [{ type: 'SerializedInterest' }], 'interest', ['DECIMAL(18,8)', 'VARCHAR']],
    ['term', [{ type: 'SerializedTerm', unit: 'months' }], 'term', ['DOUBLE', 'VARCHAR', 'DOUBLE']],
    ['amount', [{ type: 'SerializedSum' }], 'amount', ['DECIMAL(18,4)', 'VARCHAR']],
    ['number', [{ type: 'percentage' }, { type: 'add', value: 1 }], 'number', ['DOUBLE']],
    ['status', [{ type: 'assetStatus' }], 'text', ['VARCHAR']],
  ])('keeps the type of its last step: %s', (_, serializations, kind, types) => {
    const plan = planMapping({ rules: rulesSchema.parse([ID, rule('my field', ...serializations)]) });
    expect(plan.issues).toEqual([]);
    const field = plan.fields.find(({ path }) => path === 'customFields.my field');
    expect(field).toMatchObject({ kind, columns: types.map((type) => ({ type })) });
    const catalog = assetCatalog([{ path: 'my field', kind: field!.kind }]);
    const found = catalog.resolve('my field');
    expect('field' in found && found.field.type).toBe(
      types[0]!.startsWith('DECIMAL') ? 'decimal' : kind === 'text' ? 'text' : 'number',
    );
  });
});

describe('a mapping', () => {
  test('is taken with defaults filled in', () => {
    const parsed = parseMapping(mapping([ID, rule('sum', { type: 'SerializedSum' })]));
    expect(parsed.rules[1]).toEqual({
      originCol: 'x',
      targetCol: 'sum',
      checks: [],
      serializations: [{ type: 'SerializedSum', unit: 'scalar' }],
      validations: [],
      remainOriginCol: false,
    });
  });

  test('stores what could not be read beside a field that stays empty, and only there', () => {
    const costs = ['error', 'empty'] as const;
    const [strict, lenient] = costs.map((onUnreadable) =>
      planMapping(
        parseMapping(mapping([ID, { ...rule('term', { type: 'SerializedTerm', unit: 'months' }), onUnreadable }])),
      ),
    );
    const names = (plan: MappingPlan | undefined) =>
      plan?.fields.flatMap(({ columns }) => columns.map(({ name }) => name));
    expect(names(strict)).toEqual(['assetId', 'term', 'term.unit', 'term.days']);
    expect(names(lenient)).toEqual(['assetId', 'term', 'term.unit', 'term.days', 'term.unread']);
  });

  test.each<[string, unknown, string]>([
    ['no rules', mapping([]), 'A mapping needs at least one rule'],
    ['301 rules', mapping(Array(301).fill(ID)), 'A mapping takes at most 300 rules'],
    ['a short target', mapping([ID, rule('x', { type: 'text' })]), 'targetCol needs at least 2 characters'],
    ['a rule without steps', mapping([ID, rule('product')]), 'A rule needs at least one serialization step'],
    ['no sheet name', { ...mapping([ID]), loanTapeSheetName: '' }, 'Enter the name of the sheet'],
    [
      'one entry to replace',
      mapping([ID, rule('product', { type: 'replaceStrings', value: ['a'] })]),
      'Replace strings needs exactly 2 entries',
    ],
    [
      'three numbers to slice',
      mapping([ID, rule('product', { type: 'slice', value: [1, 2, 3] })]),
      'Slice takes 1 or 2',
    ],
    ['no assetId', mapping([rule('product', { type: 'text' })]), 'Map assetId: every mapping needs a rule for it'],
    ['an assetId that may be missing', mapping([{ ...ID, checks: [] }]), 'assetId must be checked as Mandatory'],
    [
      'two rules for one field',
      mapping([ID, rule('sum', { type: 'SerializedSum' }), rule('sums.sum', { type: 'SerializedSum' })]),
      'Rule 3 ("x" to sums.sum): another rule already sets sums.sum',
    ],
    [
      'Consistent elsewhere',
      mapping([ID, { ...rule('product', { type: 'text' }), checks: ['Consistent'] }]),
      'Consistent is allowed on dateFinanced, term, currency, sum and maturityDate only',
    ],
    [
      'a last step of another kind',
      mapping([ID, rule('outstandingSum', { type: 'number' })]),
      'its last step (number) produces a number, which sums.outstandingSum cannot hold; end with a SerializedSum step',
    ],
    [
      'a step that cannot follow',
      mapping([ID, rule('product', { type: 'SerializedSum' }, { type: 'upper' })]),
      'Rule 2 ("x" to product), step 2 (upper): cannot work on an amount of money',
    ],
    [
      'a validation of another kind',
      mapping([ID, { ...rule('product', { type: 'text' }), validations: [{ kind: 'minNumber', value: 1 }] }]),
      'minNumber cannot be applied to text',
    ],
    [
      'a later target',
      mapping([
        ID,
        rule('monthsOnBook', { type: 'add', column: 'daysPastDue' }),
        rule('daysPastDue', { type: 'number' }),
      ]),
      '"daysPastDue" is set by a later rule; move that rule before this one',
    ],
    [
      'a later target in a condition',
      mapping([
        ID,
        rule('isDelinquent', {
          type: 'ifStatement',
          filter: { daysPastDue: { gt: 0 } },
          // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract
          then: true,
          else: false,
        }),
        rule('daysPastDue', { type: 'number' }),
      ]),
      '"daysPastDue" is set by a later rule',
    ],
    [
      'another cost of a cell',
      mapping([ID, { ...rule('product', { type: 'text' }), onUnreadable: 'skip' as never }]),
      'Invalid option: expected one of "error"|"empty"',
    ],
    ['a misspelt field', mapping([ID, rule('sums.outstandng', { type: 'SerializedSum' })]), 'the fields of sums are'],
    ['an unknown step', mapping([ID, rule('product', { type: 'reverse' } as never)]), 'Invalid'],
    [
      'a pattern nobody else reads alike',
      mapping([ID, rule('product', { type: 'regexExtract', pattern: '(?=a)' })]),
      'look',
    ],
    [
      'a pattern with nested repeats',
      mapping([ID, rule('product', { type: 'regexExtract', pattern: '(\\d+)+x' })]),
      'Rule 2 ("x" to product), step 1 (regexExtract): its pattern nests one repeat in another, like (a+)+',
    ],
    [
      'a pattern that repeats too much',
      mapping([ID, rule('product', { type: 'regexExtract', pattern: '((ab){20,}){20}' })]),
      'repeats',
    ],
    [
      'a condition with nested repeats',
      mapping([
        ID,
        // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract
        rule('product', { type: 'ifStatement', filter: { x: { regex: '(a*)*' } }, then: 'y', else: 'n' }),
      ]),
      'nests one repeat in another',
    ],
    [
      'a group the pattern lacks',
      mapping([ID, rule('product', { type: 'regexExtract', pattern: '(a)', group: 2 })]),
      'has 1 group',
    ],
    [
      'a kept cell that collides',
      mapping([
        ID,
        rule('customFields.x', { type: 'text' }),
        { ...rule('product', { type: 'text' }), remainOriginCol: true },
      ]),
      'the kept column would be customFields.x',
    ],
    [
      'Unique on what is not kept',
      mapping([ID, { ...rule('tmp', { type: 'number' }), checks: ['Temporary', 'Unique'] }]),
      'is not kept',
    ],
  ])('with %s is refused', (_, input, message) => expect(messagesOf(input)).toContain(message));

  test('flags name the path of the rule and step', () =>
    expect(Object.keys(flagsOf(mapping([ID, rule('sum', { type: 'number' }, { type: 'number' })])))).toEqual([
      'rules.1.serializations.1',
    ]));

  // biome-ignore-start lint/suspicious/noThenProperty: the rule format's property name
  test('compares a column with a percentage or a date of a rule only after a rule has read it', () => {
    const ltv = rule('currentLtv', { type: 'percentage' });
    const paid = rule('lastPaymentDate', { type: 'date', format: 'ISO' });
    const compare = (filter: Record<string, unknown>) =>
      messagesOf(mapping([ID, ltv, paid, rule('product', { type: 'ifStatement', filter, then: 'yes', else: 'no' })]));
    expect(compare({ x: { lt: { $field: 'currentLtv' } } })).toMatch(/must be a number as x is; currentLtv is/);
    expect(compare({ lastPaymentDate: { gt: { $field: 'x' } } })).toMatch(/must be a date as lastPaymentDate is; x is/);
    const sized = rule('monthsOnBook', { type: 'number' });
    const filter = { x: { lt: { $field: 'monthsOnBook' } } };
    const rules = [ID, sized, rule('product', { type: 'ifStatement', filter, then: 'yes', else: 'no' })];
    expect(planMapping({ rules: rulesSchema.parse(rules) }).issues).toEqual([]);
  });
  // biome-ignore-end lint/suspicious/noThenProperty: the rule format's property name

  test('numbers occurrences only of texts that are checked as Unique', () => {
    const id = (more: Partial<RuleInput>): RuleInput => ({
      ...ID,
      checks: ['Mandatory', 'Unique'],
      onDuplicate: 'numbered',
      ...more,
    });
    const ofTexts = 'occurrences are numbered only of texts that are checked as Unique';
    expect(planMapping({ rules: rulesSchema.parse([id({})]) }).issues).toEqual([]);
    expect(messagesOf(mapping([id({ checks: ['Mandatory'] })]))).toContain(ofTexts);
    const amount = id({ targetCol: 'sums.sum', serializations: [{ type: 'SerializedSum' }] });
    expect(messagesOf(mapping([ID, amount]))).toContain(ofTexts);
  });

  test('whose ids are row numbers, by whichever rule, compares nothing with other tapes', () => {
    const consistent: RuleInput = { ...rule('sum', { type: 'SerializedSum' }), checks: ['Consistent'] };
    const byRow: RuleInput = { ...ID, serializations: [{ type: 'rowNumber' }] };
    const named: RuleInput[] = [
      { originCol: null, targetCol: 'row', checks: ['Temporary'], serializations: [{ type: 'rowNumber' }] },
      { ...ID, serializations: [{ type: 'text' }, { type: 'concat', parts: [{ column: 'row' }] }] },
    ];
    for (const ids of [[byRow], named]) {
      const plan = planMapping({ rules: rulesSchema.parse([...ids, consistent]) });
      expect(plan.hasUnstableIds).toBe(true);
      expect(plan.issues.map(({ message }) => message)).toEqual([
        expect.stringContaining('row numbers differ from tape to tape'),
      ]);
    }
    const other = { ...rule('note', { type: 'rowNumber' }) };
    expect(planMapping({ rules: rulesSchema.parse([ID, other, consistent]) })).toMatchObject({
      hasUnstableIds: false,
      issues: [],
    });
  });

  test('is planned in moments if each of many rules uses the two before it', () => {
    const sum = (targetCol: string, index: number): RuleInput => ({
      originCol: null,
      targetCol,
      checks: [targetCol === 'assetId' ? 'Mandatory' : 'Temporary'],
      serializations:
        index === 0
          ? [{ type: 'rowNumber' }]
          : [
              { type: 'text' },
              { type: 'concat', parts: [index - 1, index - 2].flatMap((at) => (at < 0 ? [] : { column: `t${at}` })) },
            ],
    });
    const rules = rulesSchema.parse(Array.from({ length: 200 }, (_, at) => sum(at === 199 ? 'assetId' : `t${at}`, at)));
    expect(planMapping({ rules })).toMatchObject({ hasUnstableIds: true, issues: [] });
    const others = rules.map((each, at) => (at === 0 ? { ...each, serializations: [{ type: 'text' }] } : each));
    expect(planMapping({ rules: rulesSchema.parse(others) })).toMatchObject({ hasUnstableIds: false, issues: [] });
  });

  test('runs in the order of sequence, and a Temporary target may be used and made again', () => {
    const rules = rulesSchema.parse([
      { ...ID, sequence: 9 },
      { ...rule('net', { type: 'add', column: 'gross' }), sequence: 2 },
      { ...rule('gross', { type: 'number' }), checks: ['Temporary'], sequence: 1 },
    ]);
    const plan = planMapping({ rules });
    expect(plan.issues).toEqual([]);
    expect(plan.rules.map((each) => each.index)).toEqual([2, 1, 0]);
    expect(plan.fields.map((field) => field.path)).toEqual(['customFields.net', 'assetId']);
  });

  test('names every header it reads, those of conditions and operands too', () => {
    const rules = rulesSchema.parse([
      ID,
      rule(
        'product',
        {
          type: 'ifStatement',
          filter: { $or: [{ 'Loan Kind': 'A' }, { 'origin.assetId': { exists: true } }] },
          // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract
          then: { column: 'Purpose' },
          else: 'other',
        },
        { type: 'text' },
      ),
    ]);
    const plan = planMapping({ rules });
    expect(plan.issues).toEqual([]);
    expect([...plan.headers].sort()).toEqual(['Loan Kind', 'Purpose', 'assetId', 'id', 'x']);
    const check = checkHeaders(plan, ['ID', 'loan  kind', 'X', 'x', 'assetId', 'assetId']);
    expect(check.missing).toEqual(['Purpose']);
    expect(check.duplicated).toEqual(['assetId']);
    expect(check.indexOf.get('x')).toBe(3);
  });
});

describe('the target schema', () => {
  test('resolves full paths, last parts and custom fields', () => {
    const pathOf = (name: string) => {
      const resolved = resolveTarget(name);
      return resolved.kind === 'problem' ? resolved.message : resolved.path;
    };
    expect(['targetData.sums.sum', 'sum', 'state', 'risk', 'customFields.risk'].map(pathOf)).toEqual([
      'sums.sum',
      'sums.sum',
      'address.state',
      'customFields.risk',
      'customFields.risk',
    ]);
    expect(pathOf('current')).toBe('creditScores.current');
    expect(pathOf('dates.maturty')).toContain('is not a field');
  });

  test('gives custom fields names of their own', () => {
    const customs = ['Interest Rate', 'sheet row', 'debtToIncome', 'Debt to income', 'Debt To Income', 'dealer'];
    const { fields } = assetCatalog(customs.map((path) => ({ path, kind: 'text' })));
    const labels = fields.map(({ label }) => label.toLowerCase());
    expect(new Set(labels).size).toBe(labels.length);
    expect(fields.slice(-6).map(({ label }) => label)).toEqual([
      'Interest Rate (custom)',
      'sheet row (custom)',
      'Debt to income',
      'Debt to income (custom)',
      'Debt To Income (customFields.Debt To Income)',
      'Dealer',
    ]);
  });

  test('makes a catalog that conditions read, custom fields by their target too', () => {
    const catalog = assetCatalog([{ path: 'customFields.risk band', kind: 'text' }]);
    const typeOf = (path: string) => {
      const found = catalog.resolve(path);
      return 'field' in found ? `${found.field.path} ${found.field.type}` : found.candidates.map((field) => field.path);
    };
    expect(typeOf('targetData.sums.outstandingSum')).toBe('sums.outstandingSum decimal');
    expect(typeOf('outstandingSum.currency')).toBe('sums.outstandingSum.currency text');
    expect(typeOf('currency')).toBe('currency text');
    expect(typeOf('risk band')).toBe('customFields.risk band text');
    expect(typeOf('row')).toBe('row number');
    expect(typeOf('days')).toEqual(['term.days', 'remainingTerm.days']);
  });
});

describe('a field whose name means something else to many programs', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'customFields.__proto__', 'targetData.customFields.constructor'])(
    '%s is refused as a target, Temporary too',
    (name) => {
      expect(messagesOf(mapping([ID, rule(name, { type: 'text' })]))).toContain('choose another name');
      const temporary: RuleInput = { ...rule(name, { type: 'text' }), checks: ['Temporary'] };
      if (!name.includes('.')) expect(messagesOf(mapping([ID, temporary]))).toContain('choose another name');
    },
  );

  test('is refused as a header that is kept, and taken as one that is only read', () => {
    const read: RuleInput = { ...rule('note', { type: 'text' }), originCol: '__proto__' };
    expect(flagsOf(mapping([ID, read]))).toEqual({});
    expect(messagesOf(mapping([ID, { ...read, remainOriginCol: true }]))).toContain('choose another name');
    expect(flagsOf(mapping([ID, rule('proto', { type: 'text' })]))).toEqual({});
  });
});
