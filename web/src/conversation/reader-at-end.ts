/** How close to the end counts as the end when scrolling down. */
export const END_PX = 24;

/**
 * Whether the reader is at the end and stays there. Only scrolling changes that; growing, shrinking or newly loaded
 * content does not. The first step up leaves the end.
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
