import { dayInWords, joined, type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { Draw } from '../../entities/draws.ts';

export const storedDraws = {
  entity: Draw,
  title: joined(`'Draw ' || t.code`, TITLE_OF.transaction, TITLE_OF.note),
  found: {
    detail: joined(`'due ' || ${dayInWords('t.due_date')}`, 't.status', TITLE_OF.company),
    numbered: /^draws?$/,
  },
} as const satisfies StoredCollection;
