import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SETTING_NAMES, SETTINGS, type SettingName, type SettingReader } from '@tapeline/db/settings.ts';

export const HELM_FOLDER = fileURLToPath(new URL('../../../deploy/helm/', import.meta.url));
export const CHART_FOLDER = join(HELM_FOLDER, 'tapeline');
/** The copy of the alerts that the chart can read. */
export const CHART_RULES_FILE = join(CHART_FOLDER, 'prometheus/tapeline.rules.yml');
export const SCHEMA_FILE = join(CHART_FOLDER, 'values.schema.json');

/** Values that the chart is rendered with: examples/NAME.yaml becomes rendered/NAME.yaml. */
export const EXAMPLES = ['least', 'full'] as const;
export type Example = (typeof EXAMPLES)[number];
export const exampleFile = (name: Example): string => join(HELM_FOLDER, 'examples', `${name}.yaml`);
export const renderedFile = (name: Example): string => join(HELM_FOLDER, 'rendered', `${name}.yaml`);

/** Given by the chart itself. */
const FIXED: readonly string[] = ['TAPELINE_HOME', 'HOST', 'PORT', 'METRICS_HOST', 'METRICS_PORT', 'WORKER_PROCESSES'];
/** The owner of the tables has a value of its own, because only the migrations may know it. */
const OF_OWNER: readonly string[] = ['DATABASE_ADMIN_URL'];
const READERS: readonly SettingReader[] = ['web', 'worker', 'commands'];

const isOurs = (name: SettingName): boolean =>
  !FIXED.includes(name) &&
  // The chart makes no backups, and its programs must not know the key of those that an operator makes.
  SETTINGS[name].group !== 'Backups' &&
  READERS.some((reader) => (SETTINGS[name].usedBy as readonly SettingReader[]).includes(reader));

const isSecret = (name: SettingName): boolean => SETTINGS[name].isSecret === true;

/** The names that the values `settings` and `secrets` can have. */
export const chartSettings = (): readonly SettingName[] =>
  SETTING_NAMES.filter((name) => isOurs(name) && !isSecret(name));
export const chartSecrets = (): readonly SettingName[] =>
  SETTING_NAMES.filter((name) => isOurs(name) && SETTINGS[name].hasFile && !OF_OWNER.includes(name));

/** Changes with every file that the rendered chart is made from. The schema only checks values. */
export function chartFingerprint(name: Example): string {
  const hash = createHash('sha256').update(readFileSync(exampleFile(name)));
  const files = readdirSync(CHART_FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => file !== SCHEMA_FILE)
    .sort();
  for (const file of files) hash.update(`\n${file.slice(CHART_FOLDER.length)}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

export const fingerprintLine = (name: Example): string => `# Made from ${chartFingerprint(name)}`;
