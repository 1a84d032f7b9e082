import { isIP } from 'node:net';
import { z } from 'zod';

/** What reads a setting. "launcher" is `npm start` and the other npm commands that start embedded services. */
export type SettingReader = 'web' | 'worker' | 'commands' | 'launcher';

export const SETTING_GROUPS = [
  'General',
  'Web app',
  'PostgreSQL',
  'Temporal',
  'Object storage',
  'Backups',
  'Email',
  'Workers',
  'Memory and disk',
  'Retention',
  'Identity provider',
  'Metrics and traces',
  'Connections to other services',
  'Embedded services',
] as const;

interface Kind<Schema extends z.ZodType> {
  readonly schema: Schema;
  /** For the documentation: "1 to 65535". */
  readonly values: string;
}

interface Described {
  readonly group: (typeof SETTING_GROUPS)[number];
  readonly meaning: string;
  /** The default, for the documentation. */
  readonly usual: string;
  readonly usedBy: readonly SettingReader[];
  readonly isSecret?: boolean;
  /** Whether NAME_FILE can hold the path of a file with the value, as containers and systemd mount secrets. */
  readonly hasFile?: boolean;
}

export const setting = <Schema extends z.ZodType, Description extends Described>(
  kind: Kind<Schema>,
  description: Description,
): Kind<Schema> & Described => ({ ...kind, ...description });

const ADDRESS_RANGE = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i;

/** An IP address or a CIDR range (10.0.0.0/8). */
export function isAddressRange(text: string): boolean {
  const [, address = '', bits = '0'] = ADDRESS_RANGE.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
}

/** A scheme, a host and an optional port, as browsers send it in the Origin header. */
export const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.parse(text)?.origin === text;

/** Rates decide amounts, so nobody on the network may change them on the way. */
export function isSafeService(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password) return false;
  return url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

export const matching = (
  values: string,
  isValid: (text: string) => boolean,
  must: string,
): Kind<z.ZodType<string, string>> => ({ schema: z.string().refine(isValid, `must be ${must}`), values });

export const text = (most: number, values = 'text') =>
  matching(values, (value) => value.length <= most, `at most ${most} characters long`);

export const words = (values: string, pattern: RegExp, must: string) =>
  matching(values, (value) => value.length <= 500 && pattern.test(value), must);

export const webAddress = (values = 'http:// or https:// address') =>
  matching(
    values,
    (value) => /^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value) && value.length <= 2000,
    'an address such as https://tapeline.example.com',
  );

export const safeAddress = matching(
  'https:// address',
  (value) => value.length <= 2000 && isSafeService(value),
  'an https:// address without a user name or password (http:// only on this machine)',
);

export const filePath = text(1000, 'path of a file');

export const choice = <const Options extends readonly [string, ...string[]]>(options: Options) => ({
  schema: z.enum(options, { error: () => `must be ${options.slice(0, -1).join(', ')} or ${options.at(-1)}` }),
  values: options.join(', '),
});

export const number = (least: number, most: number, { isWhole = true } = {}) => ({
  schema: z
    .string()
    .refine(
      (value) => (isWhole ? /^\d{1,9}$/ : /^\d{1,9}(\.\d{1,6})?$/).test(value) && +value >= least && +value <= most,
      `must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}`,
    )
    .transform(Number),
  values: `${least} to ${most}`,
});

export const onOff = {
  schema: z
    .enum(['on', 'off', 'true', 'false', '1', '0'], { error: () => 'must be on or off' })
    .transform((value) => value === 'on' || value === 'true' || value === '1'),
  values: 'on, off',
};

export const list = <Item>(item: z.ZodType<Item, string>, values: string) => ({
  schema: z
    .string()
    .transform((value) => value.split(',').map((each) => each.trim()))
    .pipe(z.array(item)),
  values,
});

const ENCODED = 'write /, ? and # of a user or a password as %2F, %3F and %23';

export const postgresAddress = matching(
  'postgres:// address',
  (value) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value),
  `a postgres:// address, such as postgres://tapeline_app:PASSWORD@db.example.com:5432/tapeline (${ENCODED})`,
);

export const mailAddress = matching(
  'smtp:// or smtps:// address',
  (value) => /^smtps?:\/\/\S+$/.test(value) && value.length <= 500 && URL.canParse(value),
  `a mail server such as smtps://user:PASSWORD@mail.example.com (${ENCODED})`,
);

export const ALL: readonly SettingReader[] = ['web', 'worker', 'commands', 'launcher'];
export const PROGRAMS: readonly SettingReader[] = ['web', 'worker', 'commands'];
export const SERVING: readonly SettingReader[] = ['web', 'worker'];
