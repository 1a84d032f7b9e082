/** These properties of a document and nothing else: what a page needs of it. */
export const pick = <Document extends object, Name extends keyof Document>(
  document: Document,
  ...names: readonly Name[]
): Pick<Document, Name> =>
  Object.fromEntries(names.map((name) => [name, document[name]])) as unknown as Pick<Document, Name>;
