import { personNameSchema } from '@tapeline/domain/people/user.schema.ts';

const PARTS = /^([a-z]+(?:-[a-z]+)*)\.([a-z]+(?:-[a-z]+)*)@/;

const capitalized = (part: string): string => part.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());

/** "Amina" and "Farouk" of `amina.farouk@example.com`. Null for an email that does not say both names. */
export function namesOfEmail(email: string): { firstName: string; lastName: string } | null {
  const [, first = '', last = ''] = PARTS.exec(email.trim().toLowerCase()) ?? [];
  const names = [capitalized(first), capitalized(last)].map((name) => personNameSchema.safeParse(name).data);
  const [firstName, lastName] = names;
  return firstName && lastName ? { firstName, lastName } : null;
}
