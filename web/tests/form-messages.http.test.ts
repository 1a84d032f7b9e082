import { beforeAll, describe, expect, it } from 'vitest';
import { attribute, offeredTo, openScreens, plainOf, screenOf } from './page-forms.ts';
import { anonymousScreens, type ScreenAnswer, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

/** A form of a page with fields that a person fills in. Forms that are only a button are left out. */
interface EnteredForm {
  readonly name: string;
  readonly address: string;
  readonly action: string;
  readonly isMultipart: boolean;
  /** What the form sends and nobody enters. */
  readonly hidden: readonly (readonly [string, string])[];
  readonly entered: readonly string[];
  /** Those of them that are boxes to check. */
  readonly checked: ReadonlySet<string>;
  /** The fields that are seen when the page opens. */
  readonly visible: readonly string[];
}

const NOT_ENTERED = new Set(['hidden', 'submit', 'button', 'reset']);

const namesIn = (content: string): string[] => [
  ...new Set(
    [...content.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)].flatMap(([tag]) => {
      const name = attribute(tag, 'name');
      return name === null || NOT_ENTERED.has(attribute(tag, 'type') ?? '') ? [] : [name];
    }),
  ),
];

/** What is seen of a form: without the parts that are closed. */
function withoutClosed(content: string): string {
  let [depth, closedAt, seen] = [0, 0, ''];
  for (const [part] of content.matchAll(/<details\b[^>]*>|<\/details>|[^<]+|<[^>]*>/g)) {
    if (part.startsWith('<details')) {
      depth += 1;
      if (closedAt === 0 && !/\sopen\b/.test(part)) closedAt = depth;
    }
    if (closedAt === 0) seen += part;
    if (part === '</details>') {
      if (closedAt === depth) closedAt = 0;
      depth -= 1;
    }
  }
  return seen;
}

const enteredForms = ({ address, text }: { address: string; text: string }): EnteredForm[] =>
  [...text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, tag = '', content = '']) => {
    if (attribute(` ${tag}`, 'method')?.toLowerCase() !== 'post') return [];
    const hidden = [...content.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)].flatMap(([input]) => {
      const name = attribute(input, 'name');
      return name === null || name === 'csrf' ? [] : [[name, attribute(input, 'value') ?? ''] as const];
    });
    const entered = namesIn(content);
    if (entered.length === 0) return [];
    const action = attribute(` ${tag}`, 'action') ?? address;
    return [
      {
        name: `${screenOf(address)} ${hidden.find(([name]) => name === 'intent')?.[1] ?? ''}`.trim(),
        address,
        action,
        isMultipart: attribute(` ${tag}`, 'enctype') === 'multipart/form-data',
        hidden,
        entered,
        checked: new Set(
          (content.match(/<input\b[^>]*type="(?:checkbox|radio)"[^>]*>/g) ?? []).map(
            (box) => attribute(box, 'name') ?? '',
          ),
        ),
        visible: namesIn(withoutClosed(content)),
      },
    ];
  });

/** What a page says is wrong: at the top, and at its fields by their id. */
function messagesOf({ text }: ScreenAnswer) {
  const plain = (html: string) => plainOf(html.replaceAll(/<!-- -->|<[^>]+>/g, '')).trim();
  const atFields = new Map(
    [...text.matchAll(/<p id="([^"]+)-error"[^>]*>([\s\S]*?)<\/p>/g)].map(([, id = '', html = '']) => [
      id,
      plain(html),
    ]),
  );
  const alerts = [...text.matchAll(/<div[^>]*role="alert"[^>]*>([\s\S]*?)<\/div>/g)].map(([, html = '']) => html);
  const links = alerts.flatMap((html) =>
    [...html.matchAll(/<a href="#([^"]+)"[^>]*>([\s\S]*?)<\/a>/g)].map(
      ([, id = '', words = '']) => [id, plain(words)] as const,
    ),
  );
  const ofForm = alerts.flatMap((html) =>
    [...html.matchAll(/<p>([\s\S]*?)<\/p>/g)].map(([, words = '']) => plain(words)),
  );
  const labels = new Map(
    [...text.matchAll(/<label[^>]*for="([^"]+)"[^>]*>([\s\S]*?)<\/label>/g)].map(([, id = '', html = '']) => [
      id,
      plain(html).replace(/ \(optional\)$/, ''),
    ]),
  );
  const boxes = new Set(
    [...text.matchAll(/<input\b[^>]*type="checkbox"[^>]*>/g)].map(([box]) => attribute(box, 'id') ?? ''),
  );
  return { atFields, links, ofForm, labels, boxes };
}

/** What only a schema or a program says. */
const OF_A_SCHEMA =
  /invalid (input|option|type|value|string|key|element)|expected|received|unrecognized|\bundefined\b|\bNaN\b|\[object|^required$|too (small|big)|\bzod\b|regex|is not in an accepted format|exactly 24|_/i;

const JUNK = 'ʝunk <b>&"';

const VARIANTS = {
  'nothing but its intent': ({ hidden }: EnteredForm) => hidden.filter(([name]) => name === 'intent'),
  'empty fields': ({ hidden, entered }: EnteredForm) => [...hidden, ...entered.map((name) => [name, ''] as const)],
  'junk in every field': ({ hidden, entered, checked }: EnteredForm) => [
    ...hidden,
    ...entered.map((name) => [name, checked.has(name) ? 'on' : JUNK] as const),
  ],
} as const;

/** Forms whose answer ends the sign-in or that somebody else's test depends on. */
const LEFT_OUT = /^\/(sign-out|login|account\/|preferences)/;

/** Screens without an address parameter that no navigation item leads to directly. */
const NEW = [
  '/monitoring/companies/new',
  '/monitoring/transactions/new',
  '/monitoring/tapes/new',
  '/monitoring/mappings/new',
  '/monitoring/repayments/new',
  '/monitoring/draws/new',
  '/monitoring/facility-figures/new',
  '/monitoring/facility-figures/paste',
  '/admin/users/new',
  '/admin/roles/new',
  '/admin/permissions/new',
  '/admin/entities/new',
  '/admin/service-providers/new',
  '/investors/new',
  '/funds/new',
  '/main-funds/new',
  '/announcements/new',
  '/tables/new',
  '/views/new',
  '/importer/new/LPs',
  '/account',
];

/** Fields of a form that are seen before anything is opened. */
const MAX_FIRST_FIELDS = 8;

/** Forms that show more, and how many at most: those of stored documents show every detail that has a value. */
const MORE_FIELDS: Readonly<Record<string, number>> = {
  // The lines of the first purposes and components, and a NAV for each investor.
  '/capital/calls/new review': 13,
  '/capital/distributions/new review': 14,
  '/capital/navs/new create': 10,
  '/monitoring/companies/:id/edit save': 29,
  // The figure, its first limit, and what follows from a breach.
  '/monitoring/covenants/new create': 12,
  // What is owed, who sends and reviews it, and the reminders.
  '/monitoring/deliverables/new create': 14,
  // How to be told of each kind of message, and the hour of the digest.
  '/account/notifications manager': 19,
  // Whether each kind of what is issued or paid needs a second person, and above what.
  '/settings/second-person rules': 17,
  '/funds/:id/edit save': 17,
  // The amendment, and the terms as they are.
  '/monitoring/transactions/:id/notes/:id/amend review': 86,
  '/monitoring/transactions/:id/notes/:id/terms save': 10,
  '/monitoring/transactions/:id/notes/:id/tranches/new save': 26,
  '/monitoring/transactions/:id/notes/:id/tranches/1/edit save': 91,
  '/monitoring/transactions/:id/notes/:id/tranches/2/edit save': 26,
  '/monitoring/transactions/:id/notes/:id/edit save': 13,
  '/investors/:id/edit save': 41,
  // With the bank account that a link has asked for.
  '/admin/entities/:id/edit save': 35,
};

/** Forms of what is entered for a fund. */
const OF_A_FUND = ['calls', 'distributions', 'statements', 'reports', 'navs', 'write-offs'];

let client: ScreenClient;
const forms = new Map<string, EnteredForm>();

async function answerTo(screens: ScreenClient, form: EnteredForm, fields: readonly (readonly [string, string])[]) {
  if (!form.isMultipart) return screens.submit(form.action, fields);
  const body = new FormData();
  body.set('csrf', screens.token);
  for (const [name, value] of fields) body.append(name, value);
  return screens.send(form.action, body as never);
}

async function problemsOf(screens: ScreenClient, form: EnteredForm): Promise<string[]> {
  const found: string[] = [];
  for (const [variant, fieldsOf] of Object.entries(VARIANTS)) {
    const answer = await answerTo(screens, form, fieldsOf(form));
    if (answer.status >= 500) found.push(`${form.name} with ${variant}: ${answer.status}`);
    if (answer.status !== 422) continue;
    const { atFields, links, ofForm, labels, boxes } = messagesOf(answer);
    const say = (text: string) => found.push(`${form.name} with ${variant}: ${text}`);
    if (atFields.size + links.length + ofForm.length === 0) say('says nothing');
    for (const text of [...atFields.values(), ...links.map(([, words]) => words), ...ofForm]) {
      if (OF_A_SCHEMA.test(text.replaceAll(JUNK, ''))) say(`schema text: ${text}`);
    }
    for (const [id, words] of links) {
      const atField = atFields.get(id);
      if (atField !== undefined && atField !== words) say(`"${words}" above, "${atField}" at the field`);
    }
    for (const [id, words] of atFields) {
      const label = labels.get(id);
      const one = label?.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');
      // The label of a box is a sentence.
      const isNamed = one === undefined || boxes.has(id) || words.toLowerCase().includes(one);
      if (!isNamed) say(`${label} is not named by "${words}"`);
    }
  }
  return found;
}

beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
  const [fund] = (await tenant.manager.get('/crud/funds', { filter: { status: 'Active' }, limit: 1 })).json as {
    id: string;
  }[];
  const [facility] = (await tenant.manager.get('/crud/transactions', { limit: 1 })).json as {
    company: string;
    notes: { id: string }[];
  }[];
  const failed: string[] = [];
  const opened = await openScreens(client, {
    start: [
      ...NEW,
      `/monitoring/covenants/new?note=${facility?.notes[0]?.id}`,
      `/monitoring/deliverables/new?company=${facility?.company}`,
      ...OF_A_FUND.map((screen) => `/capital/${screen}/new?fund=${fund?.id}`),
      ...(await offeredTo(client)),
    ],
    steps: 2,
    failed,
  });
  expect(failed).toEqual([]);
  for (const screen of opened)
    for (const form of enteredForms(screen)) if (!forms.has(form.name)) forms.set(form.name, form);
}, 300_000);

describe('every form', () => {
  it('says what is wrong in the words of its fields, the same above and at them, and never in those of a schema', async () => {
    const found: string[] = [];
    for (const form of forms.values()) {
      if (LEFT_OUT.test(form.action)) continue;
      found.push(...(await problemsOf(client, form)));
    }
    expect([...new Set(found)]).toEqual([]);
    expect(forms.size).toBeGreaterThan(45);
  }, 300_000);

  it('of signing in and of an administrator does so too', async () => {
    const found: string[] = [];
    for (const [address, screens] of [
      ['/login', await anonymousScreens()],
      ['/login/sign-up', await anonymousScreens()],
      ['/admin/managers/new', await screensOf('admin@tapeline.test')],
    ] as const) {
      const page = await screens.get(address);
      for (const form of enteredForms({ address, text: page.text })) found.push(...(await problemsOf(screens, form)));
    }
    expect(found).toEqual([]);
  });

  it('shows at most eight fields first', () => {
    const shown = [...forms.values()].map(({ name, visible }) => [name, visible.length] as const);
    const long = shown.filter(([name, count]) => count > (MORE_FIELDS[name] ?? MAX_FIRST_FIELDS));
    // As a text, because a message of a failed test shortens an array.
    expect(long.map(([name, count]) => `${name}: ${count}`).join('\n')).toBe('');
    // Those that have become short need no exception.
    expect(
      Object.keys(MORE_FIELDS).filter((name) =>
        shown.every(([one, count]) => one !== name || count <= MAX_FIRST_FIELDS),
      ),
    ).toEqual([]);
  });
});
