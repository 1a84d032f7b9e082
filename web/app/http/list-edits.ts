/** The name of a button that edits a list of a form, such as its contacts, without submitting the form. */
export const LIST_EDIT = 'listEdit';

export interface ListEdit {
  readonly kind: 'add' | 'remove' | 'up' | 'down';
  /** The list's field name: `entity.contacts`. */
  readonly list: string;
  /** The position of the entry; not used by `add`. */
  readonly index: number;
}

/** The value of the edit's button. */
export const writeListEdit = ({ kind, list, index }: ListEdit): string => `${kind} ${list} ${index}`;

/** Reads the value of an edit's button. Null if it is not an edit of one of these lists. */
export function readListEdit(value: string, lists: readonly string[]): ListEdit | null {
  const match = /^(add|remove|up|down) ([A-Za-z.]{1,60}) (\d{1,3})$/.exec(value);
  if (!match) return null;
  const [, kind, list = '', index] = match;
  return lists.includes(list) ? { kind: kind as ListEdit['kind'], list, index: Number(index) } : null;
}

/** The edit as the form library's intent. */
export function intentOf({ kind, list: name, index }: ListEdit) {
  if (kind === 'add') return { type: 'insert' as const, payload: { name } };
  if (kind === 'remove') return { type: 'remove' as const, payload: { name, index: index } };
  const to = Math.max(0, kind === 'up' ? index - 1 : index + 1);
  return { type: 'reorder' as const, payload: { name, from: index, to } };
}

/** The name of a button that performs another intent than its form's own, without checking the rest of the form. */
export const OTHER_INTENT = 'otherIntent';

/** The value of a button of another intent that brings fields of its own: "review?adjusting=1". */
export const intentWith = (name: string, fields: Readonly<Record<string, string>>): string =>
  `${name}?${new URLSearchParams(fields)}`;

/** The name of an intent in the value of a button, and the fields that it brings. */
export function readIntent(value: string): { name: string; fields: URLSearchParams } {
  const [name = '', search = ''] = value.split('?', 2);
  return { name, fields: new URLSearchParams(search) };
}
