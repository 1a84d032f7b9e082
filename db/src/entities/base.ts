import { type Opt, p } from '@mikro-orm/core';

/** Who made a change: a person or a programme, with what is known of the call. */
export interface ChangedBy {
  agent: string | null;
  ip: string | null;
  locale: string | null;
  /** ISO 8601. */
  timestamp: string;
  entity: { id: string; firstName: string; lastName: string } | { apiName: string };
}

/** What every document says about its own making. */
export interface DocumentMetadata {
  /** Creation, ISO 8601. */
  iat: string;
  createdBy?: ChangedBy;
  changedBy?: ChangedBy;
  bulkActionCode?: string;
  rowNumber?: number;
  attachment?: unknown;
  loanTape?: string;
  bundleId?: string;
  customFields?: Record<string, unknown>;
}

/** Whom a document belongs to or a user acts for: exactly one key. */
export type Association =
  | { admin: true }
  | { manager: AssociationTarget }
  | { company: AssociationTarget }
  | { LP: AssociationTarget }
  | { LPGroup: AssociationTarget }
  | { fundGroup: AssociationTarget };

export interface AssociationTarget {
  id: string;
  title?: string;
}

/** The columns that every document has. `version` guards against overwriting another person's change. */
export const documentProperties = {
  id: p.text().primary(),
  status: p.text().$type<string & Opt>().default('Active'),
  // Numbered by the table's own identity sequence.
  code: p.integer().$type<number & Opt>().defaultRaw('identity'),
  metadata: p.json<DocumentMetadata & Opt>().onCreate(() => ({ iat: new Date().toISOString() })),
  version: p.integer().$type<number & Opt>().version(),
};
