import type { FieldWords, NamedValue, Subject, WordedCondition } from './vocabulary.ts';

export function worded(phrases: readonly string[], condition: WordedCondition): Record<string, WordedCondition> {
  return Object.fromEntries(phrases.map((phrase) => [phrase, condition]));
}

export type SubjectWords = Omit<Subject, 'catalog'>;

export const namedValues = (...values: readonly string[]): NamedValue[] =>
  values.map((value) => ({ value, words: [value] }));

const REMOVED: NamedValue = { value: 'Removed', words: ['withdrawn', 'cancelled', 'canceled', 'deleted'] };

export const STATUSES = {
  words: ['state of the document'],
  values: [...namedValues('Draft', 'Active', 'Closed', 'Removed'), REMOVED],
};

export const HIDDEN: FieldWords = { isHidden: true };

const FUND: FieldWords = { words: ['vehicle'] };
const KINDS: FieldWords = {
  values: [
    { value: 'LP', words: ['LP', 'LPs', 'limited partner'] },
    { value: 'fund', words: ['funds as investors'] },
  ],
};

export const CAPITAL = {
  id: HIDDEN,
  code: HIDDEN,
  'metadata.bundleId': HIDDEN,
  'fund.title': HIDDEN,
  'investor.title': HIDDEN,
  'metadata.iat': { words: ['created', 'entered', 'creation date'] },
  status: { ...STATUSES, values: [...STATUSES.values, ...namedValues('Upcoming')] },
  fund: FUND,
  'investor.id': { words: ['limited partner', 'LP'] },
  'investor.kind': { values: KINDS.values, isNamed: false },
  Class: { words: ['fund class', 'share class'], isShared: true },
} satisfies Record<string, FieldWords>;

export const moneyWords = (currency: string, ...words: readonly string[]): FieldWords => ({ money: currency, words });

export const sumWords = (path: string, ...words: readonly string[]): FieldWords =>
  moneyWords(`${path}.currency`, ...words);
