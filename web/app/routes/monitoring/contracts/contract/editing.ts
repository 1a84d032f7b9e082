import type { ContractView } from '../contract-view.server.ts';

/** The rule, scope, case or value that is open for editing. */
export type Editing = NonNullable<ContractView['editing']>;

/** The open form's fields by name. */
// biome-ignore lint/suspicious/noExplicitAny: one editor serves the forms of every part
export type FieldsOfForm = Record<string, any>;
