import type { Page } from 'playwright-core';
import type { SourceFile } from '../../src/site/link.js';

/** The engine that a page carries, in a worker of its own in that page: nobody types, nothing is drawn. */
export class WorkerInPage {
  private constructor(private readonly page: Page) {}

  static async start(page: Page): Promise<WorkerInPage> {
    await page.evaluate(`(async () => {
      const text = (packed) => {
        const bytes = Uint8Array.from(atob(packed.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0));
        return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
      };
      const code = await text(document.getElementById('engine').textContent);
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
      const open = new Map();
      let last = 0;
      const script = document.createElement('script');
      script.src = 'v3.js';
      document.head.append(script);
      await new Promise((resolve) => (script.onload = resolve));
      worker.postMessage({ id: 0, name: 'bringTable', args: [JSON.parse((await text(lbsim_packed_v3)).slice('var lbsim_v3 = '.length, -1))] });
      worker.onmessage = ({ data }) => {
        open.get(data.id)?.(data);
        open.delete(data.id);
      };
      globalThis.askEngine = (name, ...args) => new Promise((resolve) => {
        const id = ++last;
        open.set(id, resolve);
        worker.postMessage({ id, name, args });
      });
    })()`);
    return new WorkerInPage(page);
  }

  /** The result as JSON; what prevented a run. */
  run(file: SourceFile): Promise<string> {
    return this.page.evaluate<string>(`(async () => {
      const subject = ${JSON.stringify({ files: [file], overrides: {} })};
      const { kind, value, message } = await askEngine('run', subject);
      if (kind === 'defect' || value.picture === undefined) return message ?? JSON.stringify(value.problems);
      return (await askEngine('export', 'json')).value.join('');
    })()`);
  }

  /** Reads, checks and predicts every beginning of a text, of `step` characters more each time; the defects. */
  checkBeginnings(text: string, step: number): Promise<readonly string[]> {
    return this.page.evaluate<string[]>(`(async () => {
      const text = ${JSON.stringify(text)};
      const defects = [];
      for (let length = 0; length <= text.length; length += ${step}) {
        const files = [{ file: 'a.yaml', text: text.slice(0, length) }];
        const { kind, message } = await askEngine('check', { files, overrides: {} });
        if (kind === 'defect') defects.push(length + ': ' + message);
      }
      return defects;
    })()`);
  }
}
