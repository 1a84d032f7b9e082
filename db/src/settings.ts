import { CONNECTION_SETTINGS } from './settings/connections.ts';
import { ALL, SETTING_GROUPS, type SettingReader } from './settings/kinds.ts';
import { LIMIT_SETTINGS } from './settings/limits.ts';
import { PROGRAM_SETTINGS } from './settings/program.ts';
import { SERVICE_SETTINGS } from './settings/services.ts';

export type { SettingReader } from './settings/kinds.ts';

/**
 * Every setting of Tapeline, as an environment variable. All programs read their settings through this table, and the
 * tables of the production guide are made from it.
 */
export const SETTINGS = {
  ...PROGRAM_SETTINGS,
  ...SERVICE_SETTINGS,
  ...LIMIT_SETTINGS,
  ...CONNECTION_SETTINGS,
} as const;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** Settings that can also be given as NAME_FILE. */
export const FROM_FILE: readonly SettingName[] = SETTING_NAMES.filter((name) => SETTINGS[name].hasFile);

/** Table rows of the production guide. */
export function settingsTables(): string {
  const readers = (usedBy: readonly SettingReader[]) => (usedBy.length === ALL.length ? 'all' : usedBy.join(', '));
  return SETTING_GROUPS.map((group) => {
    const rows = SETTING_NAMES.filter((name) => SETTINGS[name].group === group).map((name) => {
      const { values, usual, meaning, usedBy, isSecret, hasFile } = SETTINGS[name];
      const notes = [isSecret ? 'Secret.' : '', hasFile ? `Or \`${name}_FILE\`.` : ''].filter(Boolean).join(' ');
      return `| \`${name}\` | ${values} | ${usual} | ${meaning}${notes ? ` ${notes}` : ''} | ${readers(usedBy)} |`;
    });
    return `## ${group}\n\n| Variable | Values | Default | Meaning | Used by |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  }).join('\n');
}
