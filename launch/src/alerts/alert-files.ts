import { fileURLToPath } from 'node:url';

/** The alerts: rules of Prometheus. The Helm chart has a copy. */
export const RULES_FILE = fileURLToPath(new URL('../../../deploy/prometheus/tapeline.rules.yml', import.meta.url));
/** Series of each condition, and the alerts that they raise, for `promtool test rules`. */
export const RULES_TEST_FILES = ['tapeline.rules.test.yml', 'tapeline.rules.days.test.yml'].map((name) =>
  fileURLToPath(new URL(`../../../deploy/prometheus/${name}`, import.meta.url)),
);
