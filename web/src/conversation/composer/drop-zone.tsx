/** The box of the composer; accepts files dropped anywhere on the page. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export function DropZone({
  take,
  children,
}: {
  readonly take: (files: readonly File[]) => void;
  readonly children: ComponentChildren;
}) {
  const over = useSignal(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const stop = new AbortController();
    const hear = (kind: 'dragover' | 'dragleave' | 'drop', how: (event: DragEvent) => void): void =>
      addEventListener(kind, how, { signal: stop.signal });
    hear('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      over.value = true;
    });
    hear('dragleave', (event) => void (event.relatedTarget === null && (over.value = false)));
    hear('drop', (event) => {
      over.value = false;
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      latest.current(files);
    });
    return () => stop.abort();
  }, []);
  return (
    <div class="composer-box" data-over={over.value}>
      {children}
      {over.value && (
        <p class="drop-words" aria-hidden="true">
          Drop files to add them to the session
        </p>
      )}
    </div>
  );
}
