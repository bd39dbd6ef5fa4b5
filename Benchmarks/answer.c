/* The measure for an answer in the Explorer: a button that requests a text over HTTPS, and puts it into a
 * GtkSourceView as it came.
 *
 * usage: answer URL CA_FILE
 */
#include <curl/curl.h>
#include <gtksourceview/gtksource.h>

static const char *url, *ca_file;
static GtkWidget *view;

static size_t receive(char *bytes, size_t size, size_t count, void *text) {
  g_string_append_len(text, bytes, size * count);
  return size * count;
}

static void load(void) {
  GString *text = g_string_new(NULL);
  CURL *curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_CAINFO, ca_file);
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, text);
  CURLcode code = curl_easy_perform(curl);
  if (code) g_error("%s", curl_easy_strerror(code));
  curl_easy_cleanup(curl);
  gtk_text_buffer_set_text(gtk_text_view_get_buffer(GTK_TEXT_VIEW(view)), text->str, text->len);
  g_string_free(text, TRUE);
}

static void activate(GtkApplication *application) {
  GtkWidget *window = gtk_application_window_new(application);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *button = gtk_button_new_with_label("Send");
  GtkWidget *scroller = gtk_scrolled_window_new();
  view = gtk_source_view_new();
  gtk_text_view_set_monospace(GTK_TEXT_VIEW(view), TRUE);
  gtk_text_view_set_editable(GTK_TEXT_VIEW(view), FALSE);
  gtk_text_view_set_wrap_mode(GTK_TEXT_VIEW(view), GTK_WRAP_WORD_CHAR);
  gtk_widget_set_vexpand(scroller, TRUE);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), view);
  gtk_box_append(GTK_BOX(box), button);
  gtk_box_append(GTK_BOX(box), scroller);
  g_signal_connect(button, "clicked", load, NULL);
  gtk_window_set_title(GTK_WINDOW(window), "Answer");
  gtk_window_set_default_size(GTK_WINDOW(window), 760, 640);
  gtk_window_set_child(GTK_WINDOW(window), box);
  gtk_widget_grab_focus(button);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int argc, char **argv) {
  if (argc != 3) return g_printerr("usage: answer URL CA_FILE\n"), 2;
  url = argv[1], ca_file = argv[2];
  gtk_source_init();
  GtkApplication *application =
      gtk_application_new("io.github.entrance.Benchmark", G_APPLICATION_NON_UNIQUE);
  g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
  int status = g_application_run(G_APPLICATION(application), 1, argv);
  g_object_unref(application);
  gtk_source_finalize();
  return status;
}
