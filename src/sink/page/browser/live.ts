import { byId } from './dom.ts';

/** Receives news as long as the page is open; the browser reconnects by itself, and `onOpen` is called each time. */
export function follow(show: (news: never) => void, onOpen: () => void = () => undefined): void {
  const source = new EventSource('news');
  const live = byId('live', HTMLElement);
  const say = (text: string, className: string) => {
    live.textContent = text;
    live.className = className;
  };
  source.onopen = () => {
    say('live', 'live on');
    onOpen();
  };
  source.onerror = () => say('not connected', 'live off');
  source.onmessage = ({ data }: MessageEvent<string>) => show(JSON.parse(data) as never);
}
