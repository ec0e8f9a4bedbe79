import { useRef } from 'preact/hooks';
import { Icon } from '../../look/icon';
import { uploading } from './files';

export function Attach({ take }: { readonly take: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={({ currentTarget }) => {
          take([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <button
        class="button quiet icon"
        aria-label="Attach files"
        title="Attach files: drop, paste or choose them"
        onClick={() => input.current?.click()}
      >
        <Icon name="file" />
      </button>
      {uploading.value > 0 && (
        <span class="small soft" role="status">
          {uploading.value === 1 ? 'Uploading a file …' : `Uploading ${uploading.value} files …`}
        </span>
      )}
    </>
  );
}
