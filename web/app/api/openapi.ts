import { acceptedShape } from '@tapeline/domain/documents/accepted-shape.ts';
import { errorBodySchema } from '@tapeline/domain/errors/error-body.ts';
import { z } from 'zod';
import { KEY_HEADER } from '../http/once.server.ts';
import { acceptsKey, type Endpoint } from './endpoint.ts';
import { exampleOf } from './example-calls.ts';

type Json = Record<string, unknown>;

interface SchemaMaker {
  /** The JSON schema of a body, a response or a parameter. */
  toSchema: (schema: z.ZodType, io: 'input' | 'output') => Json;
  /** A reference to the schema. One that has no name is added to the components under the given name. */
  toNamed: (schema: z.ZodType, io: 'input' | 'output', name: string) => Json;
}

const isReference = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && typeof (schema as Json).$ref === 'string';

/** Makes JSON schemas. Their named parts (`.meta({ id })`) are collected once, as components of the document. */
function schemaMaker(components: Json): SchemaMaker {
  // What a schema accepts differs from what it returns (defaults, unknown fields), so the two have different names.
  const nameOf = (id: string, io: 'input' | 'output'): string => (io === 'input' ? `${id}Input` : id);
  const inDocument = (value: unknown, io: 'input' | 'output'): unknown => {
    if (Array.isArray(value)) return value.map((entry) => inDocument(entry, io));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) =>
        key === '$ref' && typeof entry === 'string'
          ? [key, nameOf(entry.replace('#/$defs/', '#/components/schemas/'), io)]
          : [key, inDocument(entry, io)],
      ),
    );
  };
  const define = (name: string, definition: Json): void => {
    const held = components[name];
    if (held !== undefined && JSON.stringify(held) !== JSON.stringify(definition)) {
      throw new Error(`Two schemas of the API have the name ${name}`);
    }
    components[name] = definition;
  };
  const toSchema: SchemaMaker['toSchema'] = (schema, io) => {
    const made = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      target: 'draft-2020-12',
      reused: 'inline',
      override: ({ zodSchema, jsonSchema }) => {
        const shape = acceptedShape(zodSchema);
        if (!shape) return;
        toNamed(shape, io, '');
        for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Json)[key];
        jsonSchema.$ref = `#/$defs/${z.globalRegistry.get(shape)?.id}`;
      },
    });
    const { $schema: _, $defs = {}, ...rest } = inDocument(made, io) as Json & { $defs?: Record<string, Json> };
    for (const [name, { id: __, ...definition }] of Object.entries($defs)) define(nameOf(name, io), definition);
    return rest;
  };
  const toNamed: SchemaMaker['toNamed'] = (schema, io, name) => {
    const { id, ...made } = toSchema(schema, io);
    if (isReference(made) || isReference(made.items)) return made;
    const named = typeof id === 'string' ? nameOf(id, io) : name;
    define(named, made);
    return { $ref: `#/components/schemas/${named}` };
  };
  return { toSchema, toNamed };
}

/** The name of a call in generated clients: `GET /crud/funds/{id}` is `getFundsById`. */
export function operationIdOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  const words = path
    .replace(/^\/crud\//, '')
    .split('/')
    .filter((word) => word !== '')
    .map((word) => (word.startsWith('{') ? `By${capital(word.slice(1, -1))}` : capital(word)));
  return `${method.toLowerCase()}${words.join('')}`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Builds the OpenAPI 3.1 document from the same definitions that validate the calls. */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): Json {
  const paths: Record<string, Json> = {};
  const schemas: Json = {};
  const maker = schemaMaker(schemas);
  maker.toSchema(z.array(errorBodySchema), 'output');
  for (const definition of endpoints) {
    paths[definition.path] ??= {};
    (paths[definition.path] as Json)[definition.method.toLowerCase()] = operation(definition, maker);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tapeline',
      version,
      description:
        'Private-credit and fund management: loan tapes, borrowing bases, funds. A request body can have up to 1 MB, or 16 kB under /auth, unless a call states otherwise; at most 250,000 values, and 5,000 fields in an object.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
        refresh: {
          type: 'apiKey',
          in: 'cookie',
          name: 'tapeline_refresh',
          description: 'Set at sign-in. The name starts with the instance name',
        },
      },
    },
  };
}

function operation(definition: Endpoint, { toSchema, toNamed }: SchemaMaker): Json {
  const operationId = operationIdOf(definition);
  const example = exampleOf(definition);
  const tag = definition.path.split('/').slice(1, 3).join('/');
  const safe = definition.method === 'GET';
  const signedIn = definition.access !== 'public' && definition.access !== 'refresh cookie';
  // Signing in is limited per address and account, previews per user.
  const isLimited = definition.path.startsWith('/LTP/preview/') || (definition.path.startsWith('/auth/') && !safe);
  const errors = [
    '400',
    // A public call answers 401 to a token or a code that is not valid.
    ...(definition.access === 'public' && safe ? [] : ['401']),
    ...(signedIn || !safe ? ['403'] : []),
    '404',
    ...(isLimited ? ['429'] : []),
    '502',
  ];
  return {
    operationId,
    summary: definition.summary,
    tags: [tag],
    description: `Permission: ${definition.access}.`,
    security: [
      {
        ...(signedIn ? { bearer: [] } : {}),
        ...(definition.access === 'refresh cookie' ? { refresh: [] } : {}),
        ...(safe ? {} : { csrf: [] }),
      },
    ],
    parameters: [
      ...parameters(definition.params, 'path', toSchema),
      ...parameters(definition.query, 'query', toSchema),
      ...keyParameter(definition),
    ],
    ...(definition.body
      ? {
          requestBody: {
            required: true,
            ...(definition.maxBodyBytes
              ? { description: `Up to ${Math.floor(definition.maxBodyBytes / 1024 / 1024)} MB` }
              : {}),
            content: {
              'application/json': {
                schema: toNamed(definition.body, 'input', `${capital(operationId)}Body`),
                ...(example?.body === undefined ? {} : { example: example.body }),
              },
            },
          },
        }
      : {}),
    responses: {
      [definition.status]:
        definition.status === 204
          ? { description: 'Done' }
          : {
              description: definition.access.endsWith('/write') && definition.method !== 'GET' ? WRITTEN : 'Success',
              ...headersOf(definition),
              content: {
                'application/json': {
                  schema: toNamed(definition.response, 'output', `${capital(operationId)}Response`),
                  ...(example?.response === undefined ? {} : { example: example.response }),
                },
                ...Object.fromEntries((definition.files ?? []).map((type) => [type, {}])),
              },
            },
      ...Object.fromEntries(
        errors.map((status) => [
          status,
          {
            description: 'See the error catalogue',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
    },
  };
}

const WRITTEN =
  'Success. Documents of the answer have only their id and version if the caller does not have the permission to read them';

/** Calls that answer an access token. */
const OPENS_SESSION: readonly string[] = ['/auth/signIn', '/auth/signUp', '/auth/refreshAccessToken'];

/** The header that carries out a creating call once. */
const keyParameter = (definition: Endpoint): Json[] =>
  acceptsKey(definition)
    ? [
        {
          name: KEY_HEADER,
          in: 'header',
          required: false,
          description:
            'Carries out the call once: for 24 hours the same request with the same key answers as the first time, and another request with it is refused',
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
        },
      ]
    : [];

function headersOf({ method, path, query }: Endpoint): Json {
  const isList = method === 'GET' && query instanceof z.ZodObject && 'limit' in query.shape;
  const headers = {
    ...(isList
      ? {
          'X-Docs-Count': {
            description: 'Number of documents, or of groups, before skip and limit',
            schema: { type: 'integer' },
          },
        }
      : {}),
    ...(OPENS_SESSION.includes(path)
      ? {
          'X-Access-Token-Expiration-Seconds': {
            description: 'Seconds until the access token expires',
            schema: { type: 'integer' },
          },
        }
      : {}),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
}

function parameters(schema: z.ZodType | undefined, place: 'path' | 'query', toSchema: SchemaMaker['toSchema']): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toSchema(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}
