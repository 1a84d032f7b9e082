import { type Opt, p } from '@mikro-orm/core';
import type { DocumentMetadata } from '@tapeline/domain/documents/document.schema.ts';

/** The columns that every document has. `version` guards against overwriting another person's change. */
export const documentProperties = {
  id: p.text().primary(),
  status: p.text().$type<string & Opt>().default('Active'),
  // A trigger assigns it, counting per manager.
  code: p.integer().$type<number & Opt>().defaultRaw('identity'),
  metadata: p.json<DocumentMetadata & Opt>().onCreate(() => ({ iat: new Date().toISOString() })),
  version: p.integer().$type<number & Opt>().version(),
};
