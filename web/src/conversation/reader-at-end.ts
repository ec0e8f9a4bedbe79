/** How near to the end counts as being there, for whoever comes down to it. */
export const END_PX = 24;

/**
 * Whether the reader is at the end and wants to stay there. Only his own movement changes that: what grows, shrinks or
 * is read moves the end away from him, not him from the end. The first step up is enough to leave.
 */
export class ReaderAtEnd {
  is = true;
  #top = 0;

  scrolled({ scrollTop, scrollHeight, clientHeight }: Element): void {
    const left = scrollHeight - clientHeight - scrollTop;
    if (left <= 1 || (scrollTop > this.#top && left <= END_PX)) this.is = true;
    else if (scrollTop < this.#top) this.is = false;
    this.#top = scrollTop;
  }
}
