import { Refusal } from './refusal.ts';

/**
 * What must hold between the fields of a document. It is written once: schemas and forms refine with it
 * (`.refine(...DUE_AFTER_CUT_OFF)`), and an operation that changes single fields requires it of the whole.
 */
export type InputRule<Input> = readonly [check: (input: Input) => boolean, issue: { path: string[]; message: string }];

/** @throws Refusal badRequest with a flag at the field of the rule. @param why the message of the refusal */
export function requireRule<Input>([check, { path, message }]: InputRule<Input>, input: Input, why: string): void {
  if (!check(input)) throw new Refusal('badRequest', why, { flags: { [path.join('.')]: message } });
}
