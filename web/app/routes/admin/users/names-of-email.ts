import { isName } from '@tapeline/domain/documents/text.schema.ts';
import { PERSON_NAME } from '@tapeline/domain/people/user.schema.ts';

/** "Amina Farouk <amina@example.com>", as mail programs copy an address. */
const COPIED = /^\s*"?([^"<>]+?)"?\s*<([^<>\s]+@[^<>\s]+)>\s*$/;

const PARTS = /^([a-z]+(?:-[a-z]+)*)\.([a-z]+(?:-[a-z]+)*)@/;

/** Characters that are read of what was pasted as an email. */
const MAX_TYPED = 400;

const capitalized = (part: string): string => part.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());

interface PersonNames {
  firstName: string;
  lastName: string;
}

/** Without the schema, which would come with the page. */
const isPersonName = (name: string): boolean =>
  name.length >= PERSON_NAME.least && name.length <= PERSON_NAME.most && isName(name);

function namesOf(first: string, last: string): PersonNames | null {
  const [firstName, lastName] = [first.trim(), last.trim()];
  return isPersonName(firstName) && isPersonName(lastName) ? { firstName, lastName } : null;
}

/** "Amina" and "Farouk" of `amina.farouk@example.com`. Null for an email that does not say both names. */
function namesOfEmail(email: string): PersonNames | null {
  const [, first = '', last = ''] = PARTS.exec(email.trim().toLowerCase()) ?? [];
  return namesOf(capitalized(first), capitalized(last));
}

/** "Amina" and "Farouk" of "Amina Farouk". Null for a single name, or for a text that is no name. */
export function readWholeName(text: string): PersonNames | null {
  const name = text.slice(0, MAX_TYPED).trim();
  const space = name.lastIndexOf(' ');
  return namesOf(name.slice(0, Math.max(space, 0)).trim(), name.slice(space + 1));
}

/** What a person typed or pasted as an email: the email, and the names that it says. */
export function readTypedEmail(text: string): { email: string; names: PersonNames | null } {
  const [, name, copied] = COPIED.exec(text.slice(0, MAX_TYPED)) ?? [];
  if (name === undefined || copied === undefined) return { email: text, names: namesOfEmail(text) };
  return { email: copied, names: readWholeName(name) };
}
