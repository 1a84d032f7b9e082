import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimAnyPort } from '../ports/ports.ts';
import { createSupervisor } from '../supervisor/supervisor.ts';

/** Of each process, as long as Prometheus then waits for an answer. */
const SCRAPED_EVERY = '5s';

export interface Prometheus {
  /** The names of the alerts that fire now, of which what they wait for has lasted long enough. */
  firing(): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

/**
 * Starts a Prometheus that scrapes the processes of a rehearsal.
 * @param rules the text of its rules file
 */
export async function openPrometheus(options: {
  program: string;
  folder: string;
  targets: readonly string[];
  rules: string;
}): Promise<Prometheus> {
  const { program, folder, targets, rules } = options;
  const place = join(folder, 'prometheus');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'rules.yml'), rules);
  writeFileSync(
    join(place, 'prometheus.yml'),
    // JSON is YAML.
    JSON.stringify({
      global: { scrape_interval: SCRAPED_EVERY, scrape_timeout: SCRAPED_EVERY, evaluation_interval: '1s' },
      rule_files: [join(place, 'rules.yml')],
      scrape_configs: [{ job_name: 'tapeline', static_configs: [{ targets }] }],
    }),
  );
  const claim = await claimAnyPort();
  const address = `127.0.0.1:${claim.port}`;
  const supervisor = createSupervisor({
    runFolder: join(folder, 'run'),
    logFolder: join(folder, 'logs'),
    say: () => {},
  });
  await supervisor.start([
    {
      name: 'prometheus',
      command: {
        executable: program,
        args: [
          `--config.file=${join(place, 'prometheus.yml')}`,
          `--storage.tsdb.path=${join(place, 'data')}`,
          `--web.listen-address=${address}`,
        ],
        folder: place,
      },
      isReady: () =>
        fetch(`http://${address}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      readyTimeoutMs: 60_000,
      stopSignal: 'SIGTERM',
      killSignal: 'SIGKILL',
      stopTimeoutMs: 10_000,
    },
  ]);
  return {
    async firing() {
      const answer = await fetch(`http://${address}/api/v1/alerts`);
      const { data } = (await answer.json()) as {
        data: { alerts: { state: string; labels: { alertname: string } }[] };
      };
      return new Set(data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname));
    },
    async close() {
      await supervisor.stop();
      claim.release();
    },
  };
}
