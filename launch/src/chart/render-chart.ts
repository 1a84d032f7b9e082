import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RULES_FILE } from '../alerts/alert-files.ts';
import {
  CHART_FOLDER,
  CHART_RULES_FILE,
  chartSecrets,
  chartSettings,
  EXAMPLES,
  exampleFile,
  fingerprintLine,
  HELM_FOLDER,
  renderedFile,
  SCHEMA_FILE,
} from './chart.ts';

/**
 * Writes the names of all settings to the chart's schema, copies the alerts, and writes the chart rendered by Helm with each of the examples.
 * Helm is built from its source, which needs Go.
 */
const schema = JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'));
const { settings, secrets } = schema.properties;
settings.properties = Object.fromEntries(
  chartSettings().map((name) => [
    name,
    { $ref: `#/definitions/${settings.required.includes(name) ? 'required' : 'text'}` },
  ]),
);
secrets.properties = Object.fromEntries(chartSecrets().map((name) => [name, { $ref: '#/definitions/secret' }]));
writeFileSync(SCHEMA_FILE, `${JSON.stringify(schema, null, 2)}\n`);

copyFileSync(RULES_FILE, CHART_RULES_FILE);

const folder = mkdtempSync(join(tmpdir(), 'tapeline-chart-'));
try {
  const program = join(folder, 'render');
  execFileSync('go', ['build', '-o', program, '.'], { cwd: join(HELM_FOLDER, 'render'), stdio: 'inherit' });
  for (const name of EXAMPLES) {
    const rendered = execFileSync(program, [CHART_FOLDER, exampleFile(name)], { encoding: 'utf8' });
    writeFileSync(renderedFile(name), `${fingerprintLine(name)}\n${rendered}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
