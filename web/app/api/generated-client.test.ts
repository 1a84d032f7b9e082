import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from './api.server.ts';
import { openApiDocument } from './openapi.ts';

const FOLDER = '/generated';
const CLIENT = `${FOLDER}/client.d.ts`;
const PROGRAM = `${FOLDER}/program.ts`;

/** The errors of a program that imports the generated client. Both are files in memory. */
function typeErrors(client: string, program: string): string[] {
  const files = new Map([
    [CLIENT, client],
    [PROGRAM, program],
  ]);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...rest) => {
    const text = files.get(name);
    return text === undefined ? getSourceFile(name, ...rest) : ts.createSourceFile(name, text, ts.ScriptTarget.ES2022);
  };
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.directoryExists = (name) => name === FOLDER || ts.sys.directoryExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  const compiled = ts.createProgram([PROGRAM], options, host);
  return ts
    .getPreEmitDiagnostics(compiled)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const IMPORTS = `
import type { components, operations, paths } from './client';
type Json<Part> = Part extends { content: { 'application/json': infer Body } } ? Body : never;
type Sent<Name extends keyof operations> = operations[Name] extends { requestBody: infer Body } ? Json<Body> : never;
type Received<Name extends keyof operations, Status extends keyof operations[Name]['responses']> =
  Json<operations[Name]['responses'][Status]>;
`;

let client: string;
beforeAll(async () => {
  const document = openApiDocument(endpoints, '1.0.0');
  client = astToString(
    await openapiTS(JSON.parse(JSON.stringify(document)) as OpenAPI3, { defaultNonNullable: false }),
  );
});

describe('a client generated from the OpenAPI document', () => {
  it('has the types of bodies, responses, parameters and errors', () => {
    const program = `${IMPORTS}
      const nav: Sent<'postNavs'> = [
        { fund: 'f', investor: { id: 'i', kind: 'LP' }, cutOffDate: '2026-09-30', gross: 1.5, net: 1, currency: 'USD' },
      ];
      const draw: Sent<'postTransactionDraws'> = {
        transaction: 't',
        noteTitle: 'Senior',
        cutOffDate: '2026-10-31',
        dueDate: '2026-11-05',
        draws: [{ type: 'Regular', amounts: [{ sum: 1500000, currency: 'USD' }] }],
      };
      declare const fund: Received<'getFundsById', 200>;
      const size: number = fund.targetSize.sum;
      declare const request: components['schemas']['TransactionDraw'];
      const messages: string[] = request.exceptions.map(({ exception }) => exception.message);
      declare const error: Received<'getFundsById', 404>;
      const reason: string | undefined = error.flags?.title;
      type Query = NonNullable<paths['/crud/funds']['get']['parameters']['query']>;
      const query: Query = { skip: 0, limit: 50, filter: '{}' };
      export { nav, draw, size, messages, reason, query };
    `;
    expect(typeErrors(client, program)).toEqual([]);
  });

  it('types the entity that a party, a fund or a provider is created with', () => {
    const company = (name: string) => `${IMPORTS}
      type Created = Exclude<Sent<'postCompanies'>, readonly unknown[]>;
      const company: Created = {
        entity: {
          name: ${name},
          formalId: '88-1',
          nationality: { country: 'US', state: 'DE', city: 'Dover', zip: '1', address: 'Main', houseNumber: '1', name: 'Office', isPrimary: true },
        },
      };
      const byId: Created = { entity: '65f0c0ffee0000000000000a' };
      export { company, byId };
    `;
    expect(typeErrors(client, company(`'Northwind LLC'`))).toEqual([]);
    expect(typeErrors(client, company('5'))).toEqual([expect.stringContaining(`'number' is not assignable`)]);
    // Companies, managers, investors, providers and funds name their entities so, to create and to update.
    expect(client.split('components["schemas"]["EntityReferenceInput"]').length - 1).toBeGreaterThanOrEqual(21);
  });

  it('refuses a program that sends what the API does not take', () => {
    const program = `${IMPORTS}
      const nav: Sent<'postNavs'> = [{ fund: 'f', investor: { id: 'i', kind: 'bank' }, cutOffDate: '2026-09-30', gross: 1, net: 1, currency: 'USD' }];
      export { nav };
    `;
    expect(typeErrors(client, program)).toEqual([expect.stringContaining(`Type '"bank"' is not assignable`)]);
  });
});
