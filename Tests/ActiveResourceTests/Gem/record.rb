# frozen_string_literal: true

# Records what the gem activeresource sends: makes the calls of calls.txt against app.ru and writes recorded.json.
#
#     git clone https://github.com/rails/activeresource       # recorded with commit 4dd08c1, after 6.2.0
#     (cd ../Rails && RAILS_ENV=test puma -e test -b tcp://127.0.0.1:3911 app.ru) &
#     ruby -I activeresource/lib record.rb http://127.0.0.1:3911 > recorded.json

require "active_resource"
require "json"
require "net/http"

SITE = ARGV.fetch(0)

class Base < ActiveResource::Base; self.site = SITE; end

class Person < Base
  has_many :posts
end

class Post < Base
  has_many :comments
  belongs_to :poster, class_name: "person", foreign_key: :poster_id
end

class Comment < Base; self.prefix = "/posts/:post_id/"; end
class FreeComment < Base; self.element_name = "comment"; end

class Address < Base
  include ActiveResource::Singleton
  self.prefix = "/people/:person_id/"
end

class StreetAddress < Base; end
class Note < Base; self.prefix = "/echo/"; self.primary_key = "slug"; end
class Member < Base; self.prefix = "/echo/teams/:team_id/"; end
class Status < Base; self.collection_name = "status"; end
class ApiPerson < Base; self.site = "#{SITE}/echo/api/v1"; self.element_name = "person"; end

class NamedPerson < Base; self.element_name = "person"; end
class RootedPerson < NamedPerson; self.element_name = "person"; self.include_root_in_json = true; end
class PlainPerson < NamedPerson; self.element_name = "person"; self.include_format_in_path = false; end
class HeadedPerson < NamedPerson; self.element_name = "person"; headers["X-Team"] = "a"; end
class BarePerson < NamedPerson; self.element_name = "person"; headers["X-Errors-Shape"] = "bare"; end
class ArrayPerson < NamedPerson; self.element_name = "person"; headers["X-Errors-Shape"] = "array"; end

class OverridingPerson < HeadedPerson
  self.element_name = "person"
  headers["X-Team"] = "b"
  headers["Accept"] = "application/json; v=2"
end

class CamelPerson < NamedPerson
  self.element_name = "person"
  self.query_format = Class.new { def self.encode(query) = query.transform_keys { |key| key.to_s.camelize }.to_query }
end

class Vault < Base; self.collection_name = "vault"; end
class BasicVault < Vault; self.collection_name = "vault"; self.user = "ryan"; self.password = "secret"; end
class UserVault < Vault; self.collection_name = "vault"; self.user = "ryan"; end
class SiteVault < Vault; self.collection_name = "vault"; self.site = SITE.sub("://", "://ry%40n:se%3Acret@"); end
class BearerVault < Vault; self.collection_name = "vault"; self.bearer_token = "sesame"; self.auth_type = :bearer; end

def server(request) = Net::HTTP.start(URI(SITE).host, URI(SITE).port) { |http| http.request(request).body }

def exchange(entry)
  sent, received = entry.values_at("headers", "reply_headers")
  query = entry["query"].to_s.empty? ? "" : "?#{entry["query"]}"
  names = %w[Accept Content-Type Authorization] + sent.keys.grep(/\AX-/)
  {
    request: "#{entry["method"]} #{entry["path"]}#{query}",
    headers: sent.slice(*names),
    body: entry["body"],
    status: entry["status"],
    responseHeaders: received.slice("Content-Type", "Location", "Link").transform_values { |v| v.gsub(SITE, "") },
    response: entry["reply_body"]
  }
end

calls = File.readlines("#{__dir__}/calls.txt", chomp: true).map do |call|
  server(Net::HTTP::Post.new("/_test/reset"))
  begin
    eval(call)
    error = nil
  rescue StandardError => e
    error = e.class.name
  end
  { call: call, error: error, exchanges: JSON.parse(server(Net::HTTP::Get.new("/_test/journal"))).map { |e| exchange(e) } }
end
puts "[", calls.map(&:to_json).join(",\n"), "]"
