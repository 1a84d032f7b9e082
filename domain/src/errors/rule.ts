import { Refusal } from './refusal.ts';

/**
 * What must hold between the fields of a document. It is written once: schemas and forms refine with it
 * (`.refine(...DUE_AFTER_CUT_OFF)`), and an operation that changes single fields requires it of the whole.
 */
export type InputRule<Input> = readonly [check: (input: Input) => boolean, issue: { path: string[]; message: string }];

/** @throws Refusal badRequest with a flag at the field of the rule. @param why the message of the refusal */
export function requireRule<Input>([check, issue]: InputRule<Input>, input: Input, why: string): void {
  if (check(input)) return;
  // zod moves the message of a rule that a schema was refined with to `error`.
  const { path, message, error = message } = issue as typeof issue & { error?: string };
  throw new Refusal('badRequest', why, { flags: { [path.join('.')]: error } });
}
