{{- $index := slice -}}
{{- range site.Pages -}}
  {{- $index = $index | append (dict "title" (strings.TrimSpace (partial "title.html" .)) "at" .RelPermalink "text" (.Plain | htmlUnescape)) -}}
{{- end -}}
window.pages = {{ $index | jsonify }};
